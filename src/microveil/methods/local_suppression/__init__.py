"""Suppress single cells until k records share every combination of keys."""

from microveil.methods.local_suppression.step import LocalSuppression

__all__ = ["LocalSuppression"]
