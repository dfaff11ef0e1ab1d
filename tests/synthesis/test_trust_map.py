from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.synthesis.trust_map import TrustMap, trust_map
from tests.synthesis.chains import chain, statuses


def test_kept_implied_and_lost_relations_are_told_apart() -> None:
    before = chain()
    after = before.with_columns(pl.col("c").shuffle(seed=1))
    found = trust_map(before, after, modelled=[("a", "b")])
    assert statuses(found) == {
        ("a", "b"): "modelled",
        ("a", "c"): "lost",
        ("a", "d"): "implied",
        ("b", "c"): "lost",
        ("b", "d"): "implied",
        ("c", "d"): "implied",
    }
    errors = {(one.first, one.second): one.error for one in found.relations}
    assert errors["a", "b"] == 0
    assert errors["b", "c"] > 0.5


def test_another_sample_of_the_same_people_has_hardly_an_error() -> None:
    whole = chain(8000)
    found = trust_map(whole[:4000], whole[4000:])
    assert max(one.error for one in found.relations) < 0.02
    assert "lost" not in statuses(found).values()


def test_missing_cells_rare_values_and_dates_are_compared() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "text": [f"v{i}" for i in rng.integers(0, 200, 300)],
            "gap": [None if i % 3 else "x" for i in range(300)],
            "number": [None if i % 3 else float(i) for i in range(300)],
            "day": pl.Series(rng.integers(0, 9000, 300)).cast(pl.Int32).cast(pl.Date),
            "none": pl.Series([None] * 300, dtype=pl.Float64),
        }
    )
    found = trust_map(frame, frame)
    assert all(one.error == 0 for one in found.relations)


@pytest.mark.parametrize(("before", "after"), [({"a": [1]}, {"a": [1]}), ({"a": [1]}, {"b": [1]})])
def test_a_map_needs_two_columns(before: Any, after: Any) -> None:
    with pytest.raises(InputError, match="two columns"):
        trust_map(before, after)


def test_a_map_needs_records() -> None:
    with pytest.raises(InputError, match="records"):
        trust_map({"a": [], "b": []}, {"a": [1], "b": [1]})


def test_a_map_survives_the_facts_of_a_release() -> None:
    found = trust_map(chain(200), chain(200))
    again = TrustMap.from_dict(found.to_dict())
    assert again.frame.equals(found.frame)


def test_a_synthesizer_hands_out_its_map() -> None:
    model = mv.Synthesizer(generator="marginals").fit(chain(500), seed=1)
    found = model.trust_map(model.sample(seed=2))
    assert found is not None
    assert statuses(found)["a", "b"] == "lost"
