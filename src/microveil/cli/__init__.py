"""The command line: one command per file. Parse, call one use case, print."""

from microveil.cli.program import main

__all__ = ["main"]
