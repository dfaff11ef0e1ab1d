"""Synthesis: every generator of synthetic records, measured alike and laid beside other methods."""

from microveil.studies.synthesis.study import Synthesis

__all__ = ["Synthesis"]
