"""Microaggregation: small groups of near records, each replaced by its centre."""

from microveil.methods.microaggregate.step import Microaggregate

__all__ = ["Microaggregate"]
