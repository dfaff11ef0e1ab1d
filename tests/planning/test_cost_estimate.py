"""The price of a run in parts is told before it starts, and a run that does not fit never does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.app import price_file, run_file
from microveil.errors import InputError
from microveil.planning import FileEngine, estimate_cost
from microveil.planning.cost_estimate import BASE, ROW_COPIES, _n_classes
from tests.planning.test_parts_equal_whole import people, recipe_of

STEPS: list[dict[str, Any]] = [
    {"method": "drop", "columns": ["name"]},
    {"method": "additive_noise", "columns": ["pay"], "sd_share": 0.1},
    {"method": "suppress_records", "k": 3},
    {"method": "rank_swap", "columns": ["pay"], "range_share": 0.1},
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "people.parquet"
    people(3000).write_parquet(path)
    return path


def test_every_step_has_its_way_and_its_passes(source: Path) -> None:
    found = price_file(recipe_of(STEPS), source)
    assert found.n_rows == 3000
    assert [(step.way, step.passes) for step in found.steps] == [
        ("row by row", 0),
        ("from moments", 2),
        ("from counts", 1),
        ("its columns in memory", 1),
    ]
    assert found.passes == 6
    assert found.fits
    assert found.to_dict()["fits"] is True
    # Twice the rows cost about twice as much.
    people(6000).write_parquet(source)
    assert price_file(recipe_of(STEPS), source).seconds == pytest.approx(2 * found.seconds, rel=0.1)


def test_steps_that_need_all_records_cost_memory_for_each(source: Path) -> None:
    def memory(**more: Any) -> float:
        [step] = price_file(recipe_of([{"method": "mondrian", "k": 3, **more}]), source).steps
        return step.memory

    diverse = {"model": "l_diversity", "l": 2, "column": "ill"}
    by_frequency = {"town": {"hierarchy": "frequency"}}
    for more in ({"mode": "relaxed"}, {"models": [diverse]}, {"hierarchies": by_frequency}):
        assert memory(**more) > memory() + 3000 * 3 * 20, more


def test_there_are_no_more_classes_than_values_can_be_combined() -> None:
    rng = np.random.default_rng(3)
    rows = pl.DataFrame({name: rng.integers(0, 10, 1000) for name in "abc"})
    # Six hundred of a thousand combinations are seen, and more rows will show the others.
    assert _n_classes(rows, ["a", "b", "c"], 10**9) == 1000
    assert _n_classes(rows, ["a"], 10**9) == 10
    assert _n_classes(rows.with_row_index("id"), ["id"], 5000) == 5000


def test_large_tables_are_priced_for_sorting_on_disk(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("duckdb")
    in_memory = price_file(recipe_of(STEPS), source)
    monkeypatch.setattr("microveil.planning.cost_estimate.LARGE", 100)
    found = price_file(recipe_of(STEPS), source)
    assert found.steps[3].way == "sorted on disk"
    assert found.disk > in_memory.disk
    chained = {**STEPS[3], "variant": "chained"}
    assert price_file(recipe_of([chained]), source).steps[0].way == "its columns in memory"


def test_a_run_that_would_not_fit_says_so_before_it_starts(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("microveil.planning.cost_estimate.free_disk", lambda _: 10)
    with pytest.raises(InputError, match="of disk beside its target"):
        run_file(recipe_of(STEPS), source, tmp_path / "out.parquet", in_parts=True)
    monkeypatch.setattr("microveil.planning.cost_estimate.PART_COPIES", 10**6)
    with pytest.raises(InputError, match=r"GiB of memory, and 1\.0 GiB may be used"):
        run_file(
            recipe_of(STEPS),
            source,
            tmp_path / "out.parquet",
            in_parts=True,
            memory_limit="1GiB",
        )
    assert list(tmp_path.iterdir()) == [source]


def test_keys_that_are_nearly_unique_are_priced_by_their_size_and_refused(tmp_path: Path) -> None:
    path, n = tmp_path / "ids.parquet", 500_000
    pl.DataFrame({"id": pl.int_range(n, eager=True)}).select(
        pl.format("person-{}-of-the-register", "id").alias("id"), v=pl.col("id") % 7
    ).write_parquet(path)
    recipe = mv.Recipe.parse(
        {
            "roles": {"quasi_identifiers": ["id"], "insensitive": ["v"]},
            "require": [{"model": "k_anonymity", "k": 2}],
        }
    )
    whole = {"quasi_identifiers": ["v"], "insensitive": ["id"]}
    few = recipe.model_copy(update={"roles": mv.Roles.parse(whole)})
    out = tmp_path / "out.parquet"
    dear, cheap = (price_file(one, path, out, memory_limit="512MiB") for one in (recipe, few))
    assert dear.memory - cheap.memory > n * 200
    assert cheap.fits
    with pytest.raises(InputError, match=r"of memory, and 0\.5 GiB may be used"):
        run_file(recipe, path, out, in_parts=True, memory_limit="512MiB")
    assert not out.exists()


def test_rows_that_are_compared_are_priced_where_they_are_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("microveil.planning.cost_estimate.PART", 100)
    path = tmp_path / "many.parquet"
    many = pl.DataFrame({"sex": ["f", "m"] * 10_000, "note": ["x" * 300] * 20_000})
    many.write_parquet(path)
    roles = mv.Roles(quasi_identifiers=["sex"])
    free, asked = (mv.Recipe(roles=roles, require=some) for some in ([], [mv.KAnonymity(k=2)]))

    def memory(recipe: mv.Recipe, limit: int) -> float:
        return estimate_cost(recipe, FileEngine(path, roles, {}, 0, limit), tmp_path).memory

    held = BASE + ROW_COPIES * many.estimated_size()
    assert memory(free, 2**40) < memory(asked, 2**40) == pytest.approx(held, rel=0.01)
    assert memory(asked, 2**20) == memory(free, 2**20)
