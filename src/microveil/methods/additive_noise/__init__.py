"""Add random noise to numbers."""

from microveil.methods.additive_noise.step import AdditiveNoise, Spread

__all__ = ["AdditiveNoise", "Spread"]
