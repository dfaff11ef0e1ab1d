"""Values that change places by sorting on disk move as they do in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.app import run_file
from microveil.planning import files, sorting
from microveil.planning.methods import by_sorting, rank_swap, shuffle
from microveil.planning.moved_plan import MovedPlan
from tests.planning.test_parts_equal_whole import people, recipe_of

pytest.importorskip("duckdb")


@pytest.fixture(autouse=True)
def on_disk(monkeypatch: pytest.MonkeyPatch) -> list[MovedPlan]:
    """Sort even small tables on disk, in small batches; the plans made."""
    monkeypatch.setattr(by_sorting, "LARGE", 0)
    monkeypatch.setattr(files, "PART", 97)
    for module in (sorting, rank_swap, shuffle):
        monkeypatch.setattr(module, "BATCH", 64)
    made: list[MovedPlan] = []
    protect = MovedPlan.protect

    def noted(self: MovedPlan, *arguments: Any) -> Any:
        made.append(self)
        return protect(self, *arguments)

    monkeypatch.setattr(MovedPlan, "protect", noted)
    return made


def in_parts(step: dict[str, Any], frame: pl.DataFrame, folder: Path, seed: int = 3) -> Any:
    source, out = folder / "people.parquet", folder / "out.parquet"
    frame.write_parquet(source)
    done = run_file(recipe_of([step]), source, out, seed=seed, in_parts=True, keep_order=True)
    assert {path.name for path in folder.iterdir()} == {"people.parquet", "out.parquet"}
    return pl.read_parquet(out), done.facts[0].facts


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


def ranks(column: pl.Series) -> np.ndarray[Any, Any]:
    return column.rank("ordinal").cast(pl.Int64).to_numpy()


@pytest.mark.parametrize("share", [0.01, 0.2])
def test_no_value_is_swapped_further_than_its_range(share: float, tmp_path: Path) -> None:
    frame = people(1000).with_columns(pl.Series("pay", np.random.default_rng(1).random(1000)))
    step = {"method": "rank_swap", "columns": ["pay"], "range_share": share}
    after, facts = in_parts(step, frame, tmp_path)
    moves = np.abs(ranks(after["pay"]) - ranks(frame["pay"]))
    assert moves.max() <= share * 1000
    assert facts["n_unswapped"]["pay"] == int((moves == 0).sum())
    whole = mv.run(recipe_of([step]), frame, seed=3).data
    of_whole = np.abs(ranks(whole["pay"]) - ranks(frame["pay"]))
    assert moves.mean() == pytest.approx(of_whole.mean(), rel=0.1)
    assert (np.sort(moves) - np.sort(of_whole)).mean() == pytest.approx(0, abs=0.1 * moves.mean())


def test_blocks_of_ranks_do_not_mix(tmp_path: Path) -> None:
    frame = people(201).with_columns(pl.Series("pay", np.random.default_rng(1).random(201)))
    step = {**STEPS["rank_swap_blocks"], "range_share": 0.05}
    after, _ = in_parts(step, frame, tmp_path)
    before, then = ranks(frame["pay"]) - 1, ranks(after["pay"]) - 1
    # The two hundred and first rank joins the block before it.
    blocks = [np.minimum(one // 10, 19) for one in (before, then)]
    assert (blocks[0] == blocks[1]).all()


def test_permuted_values_stay_within_their_groups(tmp_path: Path) -> None:
    frame = people()
    after, _ = in_parts(STEPS["permute_within"], frame, tmp_path)
    for one, two in zip(
        frame.partition_by("sex", "town"), after.partition_by("sex", "town"), strict=True
    ):
        assert one["pay"].sort().equals(two["pay"].sort())


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
