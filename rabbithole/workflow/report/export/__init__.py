"""A report as a file: HTML, PDF, Word, a folder of linked notes, a bibliography."""
