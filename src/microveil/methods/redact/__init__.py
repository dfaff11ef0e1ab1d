"""Redact free text beside a table."""

from microveil.methods.redact.step import Redact

__all__ = ["Redact"]
