"""Nearest neighbours: k-d trees, distances, boxes and queries."""
