"""JSON: one object per line, or one document of records or columns."""
