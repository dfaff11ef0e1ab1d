"""`microveil serve`: the query service, and what its owner does."""

from microveil.cli.serve.program import serve

__all__ = ["serve"]
