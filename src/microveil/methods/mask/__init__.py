"""Mask parts of a text."""

from microveil.methods.mask.step import Mask

__all__ = ["Mask"]
