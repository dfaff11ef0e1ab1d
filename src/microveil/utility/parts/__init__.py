"""Shared by the utility measures."""
