"""Synthetic linked tables: parents first, children given their parent, their number and order."""
