"""Nearest records: trees, distances, boxes and queries."""
