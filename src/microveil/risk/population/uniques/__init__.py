"""Shared by searches for unique sets of columns."""
