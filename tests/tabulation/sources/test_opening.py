from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import microveil as mv
from microveil.tabulation.sources import opening

N = 900


def people() -> pl.DataFrame:
    rng = np.random.default_rng(5)
    towns = rng.choice(["Ames", "Bern", "Cork", "Delft", ""], N, p=[0.5, 0.3, 0.1, 0.08, 0.02])
    incomes = np.round(rng.lognormal(3, 1, N), 2).tolist()
    return pl.DataFrame(
        {
            "town": [str(town) or None for town in towns],
            "age": rng.integers(20, 29, N),
            "income": [None if at % 40 == 0 else one for at, one in enumerate(incomes)],
            "weight": rng.integers(1, 4, N).astype(float),
            "firm": [f"firm {x}" for x in rng.integers(0, 150, N)],
            "agreed": rng.random(N) < 0.2,
            "key": rng.random(N),
        }
    )


TABLES: dict[str, list[mv.Tabulation]] = {
    "two counts": [mv.Tabulation(by=["town", "age"]), mv.Tabulation(by=["town"])],
    "weighted sum": [mv.Tabulation(by=["town", "age"], value="income", weight="weight")],
    "sum by firm": [
        mv.Tabulation(by=["town", "age"], value="income", contributor="firm", waiver="agreed")
    ],
    "mean by rare codes": [
        mv.Tabulation(
            by=["age", "town"],
            value="income",
            statistic="mean",
            hierarchies={"age": {"hierarchy": "frequency", "steps": 2}},
        )
    ],
}


def from_file(frame: pl.DataFrame, folder: Path) -> Any:
    frame.write_parquet(folder / "people.parquet")
    return folder / "people.parquet"


def from_plan(frame: pl.DataFrame, folder: Path) -> Any:
    frame.write_csv(folder / "people.csv")
    return pl.scan_csv(folder / "people.csv")


def from_duckdb(frame: pl.DataFrame, folder: Path) -> Any:
    duckdb = pytest.importorskip("duckdb")
    return duckdb.connect().read_parquet(str(from_file(frame, folder)))


def from_categories(frame: pl.DataFrame, _: Path) -> Any:
    named = frame.with_columns(pl.col("town").cast(pl.Categorical))
    return (part.to_pandas() for part in named.iter_slices(211))


@pytest.mark.parametrize("tables", TABLES.values(), ids=TABLES.keys())
@pytest.mark.parametrize("protect", [mv.Suppress(), mv.CellKeys(record_key="key")])
@pytest.mark.parametrize("source", [from_file, from_plan, from_duckdb, from_categories])
def test_parts_give_the_same_cells_as_all_records_at_once(
    source: Callable[[pl.DataFrame, Path], Any],
    protect: Any,
    tables: list[mv.Tabulation],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(opening, "N_ROWS", 130)
    rules = [mv.Threshold(n=3), mv.PPercent(p=15)]
    whole = mv.tabulate(people(), tables, rules=rules, protect=protect)
    parts = mv.tabulate(source(people(), tmp_path), tables, rules=rules, protect=protect)
    assert [one["n_unsafe"] for one in parts.facts] == [one["n_unsafe"] for one in whole.facts]
    for title, frame in whole.frames.items():
        assert_frame_equal(parts.frames[title], frame, rel_tol=1e-12)


def test_people_are_told_apart_over_parts_by_their_entity() -> None:
    frame = pl.DataFrame({"town": ["a", "b"] * 6, "id": ["x", "y"] * 5 + [None, None]})
    roles = mv.Roles(identifiers=["id"], entity="id")
    whole = mv.tabulate(frame, mv.Tabulation(by=["town"]), roles=roles)
    parts = mv.tabulate(frame.iter_slices(5), mv.Tabulation(by=["town"]), roles=roles)
    assert whole.families[0].cells.n.tolist() == parts.families[0].cells.n.tolist()
    assert max(whole.families[0].cells.n.tolist()) == 3


def test_parts_without_a_row_are_an_error() -> None:
    with pytest.raises(mv.InputError, match="no rows"):
        mv.tabulate(iter([pl.DataFrame({"a": []})]), mv.Tabulation(by=["a"]))


def test_a_table_that_is_aggregated_may_come_in_parts() -> None:
    frame = pl.DataFrame({"town": ["Total", "a", "b"], "n": [12, 7, 5]})
    table = mv.Tabulation(by=["town"], cells=mv.CellColumns(count="n"))
    made = mv.tabulate(frame.iter_slices(2), table)
    assert made.frames[table.title]["value"].to_list() == [12, 7, 5]
