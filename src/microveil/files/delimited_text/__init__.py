"""Delimited text: CSV and its relatives."""
