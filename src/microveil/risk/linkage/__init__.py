"""Shared by the linkage measures: distances, agreement, assignment."""
