"""sdcMicro 5.8.1's rankSwap on Tarragona, cell for cell, driven by its own random numbers."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from microveil.arrays import Floats
from microveil.kernels.swapping.rank_swap import swap_partners
from microveil.methods.rank_swap import RankSwap, _Ranked

DATA = Path(__file__).parents[1] / "data"
WORD = 0xFFFFFFFF
CODED = 0.05


def columns(file: str) -> Floats:
    return np.loadtxt(DATA / file, delimiter=",", skiprows=1)


def tausworthe(first: int) -> Iterator[float]:
    """L'Ecuyer's combined Tausworthe generator (1996), rounded to single precision."""
    states = [first, 613566701, 858993401]
    steps = ((13, 19, 12, 31), (2, 25, 4, 29), (3, 11, 17, 28))
    while True:
        for i, (left, right, shift, n_bits) in enumerate(steps):
            carry = (((states[i] << left) & WORD) ^ states[i]) >> right
            mask = (WORD << (32 - n_bits)) & WORD
            states[i] = (((states[i] & mask) << shift) & WORD) ^ carry
        yield float(np.float32((states[0] ^ states[1] ^ states[2]) * 2.0**-32))


SEED_ONE = 0xFFFFF
"""What its generator starts from when asked for seed 1, which by itself is no valid state."""


def swapped(values: Floats, share: float | None, numbers: list[float]) -> Floats:
    """One column: ends coded, the middle swapped in descending order; used numbers are removed."""
    order = np.argsort(-values, kind="stable").astype(np.int32)
    n_coded = int(CODED * len(values))
    top, middle, bottom = np.split(order, [n_coded, len(values) - n_coded])
    if share is None:
        step = RankSwap(columns="x", correlation=0.95, top_share=CODED, bottom_share=CODED)
        ranked = _Ranked(bottom[::-1], middle[::-1], top[::-1])
        share = step._range_share(pl.Series(values), ranked)
    # Its range ends before the rank that the share leads to, ours with it.
    reach = int(share * len(middle)) - 1
    partners = swap_partners(len(middle), reach, np.array(numbers))
    del numbers[: int((partners > np.arange(len(middle))).sum())]
    after = values.copy()
    after[top], after[bottom] = values[top].mean(), values[bottom].mean()
    after[middle] = values[middle[partners]]
    return after


@pytest.mark.parametrize(("file", "share"), [("P005", 0.05), ("R095", None)])
def test_every_cell_is_the_one_sdcmicro_gives(file: str, share: float | None) -> None:
    before = columns("casc/Tarragona.csv")
    expected = columns(f"sdcmicro/Tarragona_rankswap_{file}_seed1.csv")
    numbers = list(islice(tausworthe(SEED_ONE), before.size))
    for column in range(before.shape[1]):
        after = swapped(before[:, column], share, numbers)
        assert np.allclose(after, expected[:, column], rtol=1e-12, atol=0)


def test_the_ends_are_coded_as_sdcmicro_does() -> None:
    before = columns("casc/Tarragona.csv")
    expected = columns("sdcmicro/Tarragona_rankswap_P005_seed1.csv")
    names = [f"c{i}" for i in range(before.shape[1])]
    step = RankSwap(columns=names, range_share=0.05, top_share=CODED, bottom_share=CODED)
    after = step.protect(pl.DataFrame(before, schema=names), seed=1)
    for column, name in enumerate(names):
        assert np.allclose(np.sort(after[name]), np.sort(expected[:, column]), rtol=1e-12, atol=0)
