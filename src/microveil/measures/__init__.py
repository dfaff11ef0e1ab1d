"""Shared by risk and utility measures: their base class, choosing measures, taking them."""
