"""Coarsen paths in space and time, and suppress points, until m known points leave k people."""

from microveil.methods.anonymize_paths.step import AnonymizePaths

__all__ = ["AnonymizePaths"]
