"""The labels of pages: which number a page goes by, and where pages are left out."""
