"""Microaggregation: small groups of similar records, each replaced by its centre."""

from microveil.methods.microaggregate.step import Microaggregate

__all__ = ["Microaggregate"]
