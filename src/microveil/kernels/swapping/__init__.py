"""Swapping values and households; drawing new categories."""
