"""Swap the locations of similar households."""

from microveil.methods.swap_records.step import SwapRecords

__all__ = ["SwapRecords"]
