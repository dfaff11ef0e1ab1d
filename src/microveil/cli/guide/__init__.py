"""`microveil` alone on a terminal: asks what to do, in the user's language, and guides."""

from microveil.cli.guide.conversation import guide

__all__ = ["guide"]
