"""SUDA and DIS scores: the risk of a record from its minimal uniques."""

from __future__ import annotations

from math import comb, factorial
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Weighting = Literal["factorial", "supersets"]
"""Weight of a minimal unique of s of m columns."""

LEAST_EXPONENT = 0.05


def size_weights(n_columns: int, max_size: int, weighting: Weighting) -> NDArray[np.float64]:
    """What a minimal unique of 1, 2, … columns adds to a record's SUDA score.

    ``factorial``: (m − s)! (Elliot, Manning & Ford 2002, as in sdcMicro). ``supersets``: (2^(m−s) −
    1) / (m choose s), sdcMicro's ``original_scores = FALSE``: the larger sets that are unique
    because of this one, relative to the number of sets of its size.

    >>> size_weights(4, 3, "factorial").tolist()
    [6.0, 2.0, 1.0]
    """
    sizes = range(1, max_size + 1)
    if weighting == "factorial":
        weights = [float(factorial(n_columns - s)) for s in sizes]
    else:
        weights = [(2 ** (n_columns - s) - 1) / comb(n_columns, s) for s in sizes]
    return np.array(weights)


def dis_scores(
    scores: NDArray[np.float64], n_columns: int, n_paired: int, sampling_share: float
) -> NDArray[np.float64]:
    """DIS-SUDA: the probability that a match with a unique record is correct, by SUDA score.

    1 / (1 + D / (score^Q · A)) with D = P·(1 − f)/f, A = Σ score^(−Q) over the scores above 0 and Q
    = 1 + (8 − m)/20; P is the number of records in pairs, f the sampling share (Elliot & Manning
    2003, after Skinner & Elliot 2002; constants as in sdcMicro). A score of 0 stays 0.

    Q would fall to 0 at 28 columns and reverse the order of the scores beyond; here it stays above
    0. The result does not depend on the unit of the scores.

    >>> dis_scores(np.array([0.0, 1.0, 2.0]), 8, 2, 0.5).round(4).tolist()
    [0.0, 0.4286, 0.6]
    """
    chances = np.zeros(len(scores))
    risky = scores > 0
    if not risky.any():
        return chances
    exponent = max(1 + (8 - n_columns) / 20, LEAST_EXPONENT)
    powers = (scores[risky] / scores.max()) ** exponent
    doubt = n_paired * (1 - sampling_share) / sampling_share
    chances[risky] = 1 / (1 + doubt / (powers * (1 / powers).sum()))
    return chances
