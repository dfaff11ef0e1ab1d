"""Probability that random choices among ties overlap."""

import math

import numpy as np

from microveil.arrays import Floats
from microveil.kernels.jit import kernel
from microveil.kernels.neighbours.gower_neighbours import Links


def link_chances(links: Links, k: int) -> Floats:
    """Probability that the `k` nearest in one space and in another have a record in common.

    Ties at the k-th place are broken at random, independently in each space; the probability is
    exact, not simulated.
    """
    most = max((int(one.max(initial=0)) for one in (links.n_tied_a, links.n_tied_b)), default=0)
    # Tabled here: machine code and plain Python would differ in the last digit.
    factorials = np.array([math.lgamma(n + 1) for n in range(most + 1)])
    return _link_chances(links, k, factorials)


def chance_choices(n: int, k: int) -> float:
    """Probability that two random choices of `k` among `n` have a record in common.

    >>> round(chance_choices(10, 1), 6)
    0.1
    """
    if 2 * k > n:
        return 1.0
    apart = 2 * math.lgamma(n - k + 1) - math.lgamma(n - 2 * k + 1) - math.lgamma(n + 1)
    return 1.0 - math.exp(apart)


@kernel
def _log_choose(factorials: Floats, n: int, k: int) -> float:
    return float(factorials[n] - factorials[k] - factorials[n - k])


@kernel
def _link_chances(links: Links, k: int, factorials: Floats) -> Floats:
    chances = np.empty(links.n_sure_a.size)
    for query in range(chances.size):
        if links.n_sure_both[query] > 0:
            chances[query] = 1.0
            continue
        tied_a, tied_b, both = (
            links.n_tied_a[query],
            links.n_tied_b[query],
            links.n_tied_both[query],
        )
        drawn_a, drawn_b = k - links.n_sure_a[query], k - links.n_sure_b[query]
        # A's choice must miss B's certain ones and may take i of those tied in both; B's must
        # miss A's certain ones and these i.
        free_a = tied_a - links.n_tied_a_sure_b[query] - both
        free_b = tied_b - links.n_sure_a_tied_b[query]
        ways = _log_choose(factorials, tied_a, drawn_a)
        ways += _log_choose(factorials, tied_b, drawn_b)
        apart = 0.0
        for i in range(min(both, drawn_a) + 1):
            if drawn_a - i <= free_a and drawn_b <= free_b - i:
                apart += math.exp(
                    _log_choose(factorials, both, i)
                    + _log_choose(factorials, free_a, drawn_a - i)
                    + _log_choose(factorials, free_b - i, drawn_b)
                    - ways
                )
        chances[query] = min(max(1.0 - apart, 0.0), 1.0)
    return chances
