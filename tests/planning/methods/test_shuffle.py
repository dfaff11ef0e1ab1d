"""Values shuffled by their scores keep the ranks they had beside other columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.planning.methods.shuffle import _categories, _runs, suits
from tests.planning.methods.cases import in_parts, ranks
from tests.planning.test_parts_equal_whole import people, recipe_of

pytest.importorskip("duckdb")
pytestmark = pytest.mark.usefixtures("on_disk")


def test_a_shuffle_keeps_rank_correlations_with_numbers_and_categories(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    n = 3000
    age = rng.normal(40, 10, n)
    town = rng.choice(["Ås", "Bø"], n)
    pay = np.exp(0.1 * age + (town == "Ås") + rng.normal(size=n))
    frame = people(n).with_columns(
        pl.Series("age", age), pl.Series("town", town), pl.Series("pay", pay)
    )
    step = {"method": "shuffle", "columns": ["pay"], "given": ["age", "town"]}
    after, _ = in_parts(step, frame, tmp_path)
    whole = mv.run(recipe_of([step]), frame, seed=3).data
    for one in (after, whole):
        related = np.corrcoef(ranks(one["pay"]), ranks(frame["age"]))[0, 1]
        before = np.corrcoef(ranks(frame["pay"]), ranks(frame["age"]))[0, 1]
        assert related == pytest.approx(before, abs=0.05)
        own = np.corrcoef(ranks(one["pay"]), ranks(frame["pay"]))[0, 1]
        assert own == pytest.approx(0.65, abs=0.15)
    means = [np.log(one.filter(pl.col("town") == "Ås")["pay"]).mean() for one in (after, frame)]
    assert means[0] == pytest.approx(means[1], abs=0.15)


def test_equal_values_share_their_rank_over_the_ends_of_frames() -> None:
    values = pl.Series("value", [1, 2, 2, 2, 3, 5, 5])
    rows = pl.DataFrame([pl.Series("row", range(7)), values])
    for n in (1, 2, 3, 7):
        found = np.zeros(7)
        for at, mean in _runs(rows.iter_slices(n)):
            found[at] = mean
        assert found.tolist() == values.rank("average").to_list()
    assert list(_runs(iter([]))) == []


def test_categories_are_counted_once_and_in_order() -> None:
    keys = pl.DataFrame({"town": ["b", "a", "b", None]})
    found = _categories(keys, np.array([1, 2, 3, 4]))
    assert found.rows() == [(None, 4), ("a", 2), ("b", 4)]


def test_missing_values_stay_where_they_are(tmp_path: Path) -> None:
    step = {"method": "shuffle", "columns": ["pay"], "given": ["age", "town"]}
    frame = people(150)
    after, facts = in_parts(step, frame, tmp_path)
    assert after["pay"].is_null().equals(frame["pay"].is_null())
    assert after["pay"].sort().equals(frame["pay"].sort())
    assert facts["n_given"] == 2


@pytest.mark.parametrize(
    ("more", "suited"), [({}, True), ({"exact": True}, False), ({"model": "values"}, False)]
)
def test_only_ranks_up_to_chance_are_shuffled_on_disk(
    more: dict[str, Any], *, suited: bool
) -> None:
    step = mv.Shuffle.parse({"columns": ["pay"], "given": ["age"], **more})
    assert suits(step) is suited
