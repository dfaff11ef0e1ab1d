"""Moves of a table's cells that keep every sum, searched for by pairs of codes."""
