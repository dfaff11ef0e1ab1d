"""Add random noise to numbers."""

from microveil.methods.additive_noise.step import AdditiveNoise

__all__ = ["AdditiveNoise"]
