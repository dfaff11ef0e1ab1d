"""Linking the records of two tables."""
