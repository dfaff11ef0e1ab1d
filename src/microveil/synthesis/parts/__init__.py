"""Shared by the generators: their interface, columns as numbers, and the use of a model."""
