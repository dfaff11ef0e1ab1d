"""Replace values by keyed pseudonyms."""

from microveil.methods.pseudonymize.step import Pseudonymize

__all__ = ["Pseudonymize"]
