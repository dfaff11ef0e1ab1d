"""Minimal unique sets of columns, and how well sets of columns separate records."""
