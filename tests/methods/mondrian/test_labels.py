"""Labels of partitions: centres of numbers near the largest one."""

from __future__ import annotations

import polars as pl
import pytest

import microveil as mv


def test_the_mean_of_numbers_near_the_largest_one_is_a_number() -> None:
    frame = pl.DataFrame({"x": [1e308, 1.2e308, 1.4e308, -1e308, -1.5e308, -1.7e308]})
    step = mv.Mondrian(k=3, publish="centroids")
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["x"]), steps=[step])
    found = mv.run(recipe, frame).data["x"].to_list()
    assert found[:3] == pytest.approx([1.2e308] * 3)
    assert found[3:] == pytest.approx([-1.4e308] * 3)
