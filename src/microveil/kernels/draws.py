"""Random numbers inside compiled loops, from one word of state seeded by the caller."""

import numpy as np

from microveil.arrays import Words
from microveil.kernels.jit import wrapping_kernel


@wrapping_kernel
def draw(words: Words) -> float:
    """Next number in [0, 1) of the splitmix64 sequence (Steele, Lea and Flood 2014)."""
    words[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = words[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return np.float64(mixed >> np.uint64(11)) * (1.0 / 9007199254740992.0)
