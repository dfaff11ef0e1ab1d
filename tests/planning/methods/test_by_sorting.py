"""Values that change places by sorting on disk move as they do in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import microveil as mv
from microveil.app import run_file
from microveil.planning.moved_plan import MovedPlan
from tests.planning.methods.cases import in_parts
from tests.planning.test_parts_equal_whole import people, recipe_of

pytest.importorskip("duckdb")
pytestmark = pytest.mark.usefixtures("on_disk")


STEPS: dict[str, dict[str, Any]] = {
    "permute": {"method": "permute", "columns": ["pay", "born"]},
    "permute_together": {"method": "permute", "columns": ["pay", "town"], "together": True},
    "permute_within": {"method": "permute", "columns": ["pay"], "within": ["sex", "town"]},
    "rank_swap": {"method": "rank_swap", "columns": ["pay", "age"], "range_share": 0.05},
    "rank_swap_far": {"method": "rank_swap", "columns": ["seen"], "range_share": 0.7},
    "rank_swap_blocks": {
        "method": "rank_swap",
        "columns": ["pay"],
        "range_share": 0.03,
        "variant": "blocks",
    },
    "shuffle": {"method": "shuffle", "columns": ["pay", "born"], "given": ["age", "town"]},
}


@pytest.mark.parametrize("case", STEPS)
def test_every_value_stays_in_its_column_and_facts_are_those_of_the_whole(
    case: str, tmp_path: Path, on_disk: list[MovedPlan]
) -> None:
    step, frame = STEPS[case], people()
    after, facts = in_parts(step, frame, tmp_path)
    assert on_disk
    again, _ = in_parts(step, frame, tmp_path)
    other, _ = in_parts(step, frame, tmp_path, seed=4)
    assert again.equals(after)
    assert not other.equals(after)
    assert after.drop(step["columns"]).equals(frame.drop(step["columns"]))
    for name in step["columns"]:
        assert after[name].sort().equals(frame[name].sort())
        assert not after[name].equals(frame[name])
        assert facts["n_changed"][name] == int(after[name].ne_missing(frame[name]).sum())
    whole = mv.run(recipe_of([step]), frame, seed=3).facts[0].facts
    assert facts.keys() >= whole.keys()
    for name in ("n_ranks", "n_missing", "n_alone", "n_given", "n_coded"):
        if name in whole:
            assert facts[name] == whole[name]


def test_steps_before_and_after_see_the_same_rows(tmp_path: Path) -> None:
    steps = [
        {"method": "sample", "share": 0.8},
        {"method": "rank_swap", "columns": ["age"], "range_share": 0.1},
        {"method": "suppress_records", "k": 2},
    ]
    source, out = tmp_path / "people.parquet", tmp_path / "out.parquet"
    people(900).write_parquet(source)
    recipe = recipe_of(steps, require=[{"model": "k_anonymity", "k": 2}])
    done = run_file(recipe, source, out, seed=1, in_parts=True)
    assert done.holds
    assert 0 < done.n_records < 720
