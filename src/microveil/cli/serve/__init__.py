"""`microveil serve`: the query service, and its owner's commands."""

from microveil.cli.serve.program import serve

__all__ = ["serve"]
