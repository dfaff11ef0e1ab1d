"""Queries written in SQL: a safe subset, everything else refused with the reason."""
