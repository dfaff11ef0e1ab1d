import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.arrays import Floats
from microveil.kernels.neighbours import nearest
from microveil.kernels.neighbours.nearest import nearest_neighbours
from tests.kernels.casc import tables


@given(st.data())
@settings(deadline=None)
def test_neighbours_are_nearest_first_and_never_the_record_itself(data: st.DataObject) -> None:
    points: Floats = data.draw(tables(least=2, most=40))
    wanted = data.draw(st.integers(1, len(points) - 1))
    found = nearest_neighbours(points, wanted)
    for record, neighbours in enumerate(found):
        distances = np.zeros(len(points))
        for j in range(points.shape[1]):
            distances += (points[:, j] - points[record, j]) ** 2
        others = np.delete(np.arange(len(points)), record)
        assert record not in neighbours
        assert len(set(neighbours.tolist())) == wanted
        assert np.array_equal(distances[neighbours], np.sort(distances[others])[:wanted])


def test_more_neighbours_than_others_are_refused() -> None:
    with pytest.raises(ValueError, match="3 records do not have 3 neighbours"):
        nearest_neighbours(np.zeros((3, 1)), 3)


@given(st.data())
@settings(deadline=None)
def test_scans_find_the_neighbours_that_the_tree_finds_ties_included(data: st.DataObject) -> None:
    points: Floats = np.round(data.draw(tables(least=2, most=30)), 0)
    wanted = data.draw(st.integers(1, len(points) - 1))
    expected = nearest_neighbours(points, wanted)
    assert np.array_equal(nearest._by_scans(np.ascontiguousarray(points), wanted), expected)
