"""Local recoding: each class of records is generalised only as far as necessary."""

from microveil.methods.local_recoding.step import LocalRecoding

__all__ = ["LocalRecoding"]
