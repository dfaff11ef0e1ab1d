import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.arrays import Floats, Ints
from microveil.kernels.microaggregation.v_mdav import v_mdav
from tests.kernels.casc import loss, sizes_hold, standardised, tables


def _squares(points: Floats, query: Floats) -> Floats:
    total = np.zeros(len(points))
    for j in range(points.shape[1]):
        total += (points[:, j] - query[j]) ** 2
    return total


def _nearest(points: Floats, query: Floats, among: list[int]) -> list[int]:
    distances = _squares(points, query)
    return sorted(among, key=lambda record: (distances[record], -record))


def naive_v_mdav(points: Floats, k: int, gamma: float) -> Ints:
    """The algorithm of the paper by plain scans, with our rule for the last records."""
    n = len(points)
    labels = np.full(n, -1, dtype=np.int32)
    centre = np.array([math.fsum(column) for column in points.T]) / n
    order = np.argsort(-_squares(points, centre), kind="stable")
    left, groups = list(range(n)), 0
    while len(left) >= k:
        seed = next(record for record in order if labels[record] < 0)
        others = [record for record in left if record != seed]
        group = [seed, *_nearest(points, points[seed], others)[: k - 1]]
        left = [record for record in left if record not in group]
        while len(group) < 2 * k - 1 and len(left) > 1:
            if len(left) <= k and len(group) + len(left) > 2 * k - 1:
                break
            links = [_nearest(points, points[member], left)[0] for member in group]
            gaps = [_squares(points[[a]], points[b])[0] for a, b in zip(links, group, strict=True)]
            inside = min(gaps)
            found = max(a for a, gap in zip(links, gaps, strict=True) if gap == inside)
            rest = [record for record in left if record != found]
            outside = _squares(points[rest], points[found]).min()
            if not math.sqrt(inside) < gamma * math.sqrt(outside):
                break
            group.append(found)
            left = rest
        labels[group] = groups
        groups += 1
    return _house(points, labels, k)


def _house(points: Floats, labels: Ints, k: int) -> Ints:
    means = np.array([points[labels == g].mean(axis=0) for g in range(labels.max() + 1)])
    for record in np.flatnonzero(labels < 0):
        room = np.bincount(labels[labels >= 0]) < 2 * k - 1
        distances = np.where(room, _squares(means, points[record]), np.inf)
        labels[record] = np.argmin(distances)
    return labels


@given(st.integers(2, 5), st.sampled_from([0.0, 0.2, 1.1, 5.0]), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=60)
def test_groups_are_those_of_plain_scans(k: int, gamma: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(rng.integers(k, 60), rng.integers(1, 5)))
    assert v_mdav(points, k, gamma).tolist() == naive_v_mdav(points, k, gamma).tolist()


@given(st.integers(1, 5), st.sampled_from([0.0, 0.2, 1.1, 1e9]), st.data())
@settings(deadline=None, max_examples=80)
def test_groups_have_k_to_2k_less_one_records(k: int, gamma: float, data: st.DataObject) -> None:
    assert sizes_hold(v_mdav(data.draw(tables(least=k)), k, gamma), k)


def test_clustered_data_lose_less_than_with_fixed_sizes() -> None:
    points = standardised("EIA")
    assert loss(points, v_mdav(points, 5, 1.1)) < loss(points, v_mdav(points, 5, 0.0))


def test_a_negative_gamma_is_refused() -> None:
    with pytest.raises(ValueError, match="gamma must not be negative"):
        v_mdav(np.zeros((3, 1)), 2, -1.0)
