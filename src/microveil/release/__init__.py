"""A release: data with the evidence for publishing them."""

from microveil.release.release import Release

__all__ = ["Release"]
