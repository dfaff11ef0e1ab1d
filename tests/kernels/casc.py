"""The three reference files of microaggregation, and strategies that are rich in ties."""

from pathlib import Path

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from microveil.arrays import Floats, Ints
from microveil.kernels.microaggregation.group_means import group_sse, total_sse

_FOLDER = Path(__file__).parents[1] / "data" / "casc"
NAMES = {"Tarragona": "Tarragona", "Census": "CASCrefmicrodata", "EIA": "EIA"}


def columns(file: str) -> Floats:
    return np.loadtxt(_FOLDER / f"{file}.csv", delimiter=",", skiprows=1)


def standardised(name: str) -> Floats:
    points = columns(NAMES[name])
    return np.ascontiguousarray((points - points.mean(axis=0)) / points.std(axis=0, ddof=1))


def loss(points: Floats, labels: Ints) -> float:
    """Share of the variation that grouping removes, in percent."""
    return 100 * float(group_sse(points, labels).sum()) / total_sse(points)


def sizes_hold(labels: Ints, k: int) -> bool:
    sizes = np.bincount(labels)
    return bool(sizes.min() >= k and sizes.max() <= 2 * k - 1)


@st.composite
def tables(draw: st.DrawFn, least: int = 1, most: int = 60, widest: int = 4) -> Floats:
    """Few records with many ties: duplicates, constant columns, equal distances; or none at all."""
    n, d = draw(st.integers(least, most)), draw(st.integers(1, widest))
    ties = st.integers(0, draw(st.sampled_from([0, 1, 3, 20]))).map(float)
    smooth = st.floats(-1e6, 1e6, allow_subnormal=False).map(lambda value: round(value, 6))
    elements = draw(st.sampled_from([ties, ties, smooth]))
    return draw(hnp.arrays(np.float64, (n, d), elements=elements)) + draw(
        st.sampled_from([0.0, 0.1, 1e9])
    )
