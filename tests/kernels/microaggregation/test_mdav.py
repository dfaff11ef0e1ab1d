import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.arrays import Floats, Ints
from microveil.kernels.microaggregation import mdav as module
from microveil.kernels.microaggregation.group_means import group_means
from microveil.kernels.microaggregation.mdav import mdav
from microveil.kernels.neighbours.kd_search import new_search
from microveil.kernels.neighbours.kd_tree import build_tree
from tests.kernels.casc import NAMES, columns, loss, sizes_hold, standardised, tables

PUBLISHED = {
    "Tarragona": {3: 16.9326, 4: 19.5460, 5: 22.4619, 10: 33.1929},
    "Census": {3: 5.6922, 4: 7.4947, 5: 9.0884, 10: 14.1559},
    "EIA": {3: 0.4829, 4: 0.6713, 5: 1.6667, 10: 3.8397},
}


def _squares(points: Floats, query: Floats) -> Floats:
    total = np.zeros(len(points))
    for j in range(points.shape[1]):
        total += (points[:, j] - query[j]) ** 2
    return total


def naive_mdav(points: Floats, k: int) -> Ints:
    """Algorithm 2 of the course text, word for word; centroids from exactly rounded sums."""
    labels = np.full(len(points), -1, dtype=np.int32)
    left = np.arange(len(points))
    groups = 0

    def take(seed: int) -> None:
        nonlocal left, groups
        others = left[left != seed]
        order = np.lexsort((-others, _squares(points[others], points[seed])))
        group = np.append(others[order[: k - 1]], seed)
        labels[group] = groups
        left = np.setdiff1d(left, group)
        groups += 1

    while len(left) >= 2 * k:
        again = len(left) >= 3 * k
        centre = np.array([math.fsum(column) for column in points[left].T]) / len(left)
        first = left[np.argmax(_squares(points[left], centre))]
        take(first)
        if again:
            take(left[np.argmax(_squares(points[left], points[first]))])
    labels[left] = groups
    return labels


@given(st.integers(2, 5), st.data())
@settings(deadline=None, max_examples=200)
def test_the_partition_is_that_of_the_plain_algorithm(k: int, data: st.DataObject) -> None:
    points = data.draw(tables(least=k))
    assert mdav(points, k).tolist() == naive_mdav(points, k).tolist()


@pytest.mark.parametrize("columns_", [1, 2, 5, 12, 30])
@pytest.mark.parametrize("k", [3, 10])
def test_a_thousand_records_are_grouped_as_by_the_plain_algorithm(columns_: int, k: int) -> None:
    rng = np.random.default_rng(columns_)
    for points in (
        rng.normal(size=(1000, columns_)),
        rng.lognormal(sigma=2, size=(1000, columns_)),
        rng.integers(0, 4, size=(1000, columns_)).astype(np.float64),
    ):
        assert np.array_equal(mdav(points, k), naive_mdav(points, k))


def test_scanning_and_searching_give_the_same_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.random.default_rng(3).integers(0, 9, size=(400, 3)).astype(np.float64)
    loop = getattr(module.group_rest, "py_func", module.group_rest)
    monkeypatch.setattr(module, "DEFEATED", -1.0)  # read by the loop when it runs as plain Python
    found = loop(points, build_tree(points), module.all_left(points), 3)
    assert np.array_equal(found, mdav(points, 3))


def _farthest_agrees(points: Floats, query: Floats, centre: Floats) -> bool:
    """Whether the ball through the query hides no record that a scan finds."""
    inside = points[_squares(points, centre) <= _squares(query[None], centre)[0]]
    everybody = np.vstack([inside, query])
    found = module.opposite(build_tree(everybody), new_search(1), query, centre, -1)
    return bool(found == np.argmax(_squares(everybody, query)))


@pytest.mark.parametrize("offset", [0.0, 1.0, 2.0**10])
def test_records_that_almost_tie_on_the_other_side_are_told_apart(offset: float) -> None:
    # Dozens of records within rounding of the query's mirror image: some a little farther than
    # twice the radius, as numbers are rounded.
    for seed in range(60):
        rng = np.random.default_rng(seed)
        d = int(rng.integers(2, 8))
        query, centre = rng.normal(size=d) + offset, rng.normal(size=d) * 1e-3 + offset
        width = 1e-16 * max(offset, 1.0)
        cluster = (2 * centre - query) + rng.normal(size=(200, d)) * width
        assert _farthest_agrees(cluster, query, centre)


def test_records_that_almost_tie_are_told_apart_far_from_the_origin() -> None:
    offset = 2.0**35  # here, neighbouring numbers are 8 millionths apart
    for seed in range(1500):
        rng = np.random.default_rng(seed)
        angle, aside = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 2.5)
        turns = [angle, angle + np.pi + aside, angle + np.pi - aside]
        ring = offset + rng.choice([0.5, 1, 3]) * np.column_stack([np.cos(turns), np.sin(turns)])
        steps = rng.integers(-2, 3, size=(32, 2)) * np.spacing(offset)
        points = np.repeat(ring[1:], 16, axis=0) + steps
        assert _farthest_agrees(points, ring[0], np.full(2, offset))


@pytest.mark.parametrize("name", list(PUBLISHED))
@pytest.mark.parametrize("k", [3, 4, 5, 10])
def test_published_losses_are_met(name: str, k: int) -> None:
    points = standardised(name)
    labels = mdav(points, k)
    assert loss(points, labels) == pytest.approx(PUBLISHED[name][k], abs=5e-5)
    assert sizes_hold(labels, k)


@pytest.mark.parametrize("name", ["Tarragona", "Census"])
def test_groups_are_those_of_sdcmicro(name: str) -> None:
    labels = mdav(standardised(name), 3)
    raw, released = columns(NAMES[name]), columns(f"{NAMES[name]}_mdav3")
    assert np.allclose(group_means(raw, labels)[labels], released, rtol=1e-10, atol=1e-6)


@pytest.mark.parametrize("name", ["Tarragona", "Census"])
def test_reference_files_are_grouped_as_by_the_plain_algorithm(name: str) -> None:
    points = standardised(name)
    assert np.array_equal(mdav(points, 5), naive_mdav(points, 5))


@given(st.integers(1, 6), st.data())
@settings(deadline=None, max_examples=50)
def test_groups_have_k_to_2k_less_one_records(k: int, data: st.DataObject) -> None:
    assert sizes_hold(mdav(data.draw(tables(least=k)), k), k)


def test_fewer_than_2k_records_are_one_group() -> None:
    points = np.random.default_rng(0).normal(size=(9, 2))
    assert set(mdav(points, 5).tolist()) == {0}
    assert set(mdav(points, 9).tolist()) == {0}


@pytest.mark.parametrize(
    ("points", "k"),
    [
        (np.zeros((2, 1)), 3),
        (np.zeros((3, 0)), 3),
        (np.zeros(3), 3),
        (np.array([[0.0], [np.nan]]), 2),
        (np.array([[0.0], [np.inf]]), 2),
        (np.zeros((2, 1)), 0),
    ],
)
def test_what_cannot_be_grouped_is_refused(points: Floats, k: int) -> None:
    with pytest.raises(ValueError, match=r"group needs|records and columns|finite"):
        mdav(points, k)


def test_the_input_is_left_alone_and_may_have_any_layout() -> None:
    points = np.asfortranarray(np.random.default_rng(0).normal(size=(50, 3)))
    kept = points.copy()
    assert np.array_equal(mdav(points, 3), mdav(np.ascontiguousarray(points), 3))
    assert np.array_equal(points, kept)
