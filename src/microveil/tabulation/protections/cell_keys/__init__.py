"""The cell-key method: the same cell has the same noise in every table."""
