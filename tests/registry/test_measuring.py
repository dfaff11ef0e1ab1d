from __future__ import annotations

import json

import polars as pl

import microveil as mv
from microveil.registry.keyed_hashes import KeyedHashes
from microveil.registry.measuring import measure_release


def test_numbers_and_hashes_are_kept_and_no_value() -> None:
    frame = pl.DataFrame(
        {"a": ["north"] * 6 + ["south"], "x": [1.5] * 7, "d": [None] * 7, "f": [True] * 7}
    )
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["a"]), undeclared="keep")
    found = measure_release(mv.run(recipe, frame), KeyedHashes(b"k" * 32))
    assert found["risk"]["highest_risk"] == 1
    assert found["data"]["rare_share"] == 1 / 7
    assert found["utility"]["cell_changes"] == 0
    columns = found["data"]["columns"]
    assert [columns[name]["type"] for name in ("a", "x", "f")] == ["text", "numbers", "yes or no"]
    assert len(columns["a"]["categories"]) == 2
    assert "north" not in json.dumps(found)
