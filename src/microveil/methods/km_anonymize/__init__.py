"""Make sets of items k^m-anonymous."""

from microveil.methods.km_anonymize.step import KmAnonymize

__all__ = ["KmAnonymize"]
