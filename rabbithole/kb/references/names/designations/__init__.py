"""Designations of documents ("NIST SP 800-37"): their parts and normal form, and the series that are known."""
