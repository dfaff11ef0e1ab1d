"""Shared by the methods."""
