"""Tartu (S3): masking by swapping and shuffling."""

from microveil.studies.tartu.study import Tartu

__all__ = ["Tartu"]
