"""Limits on measures hold in parts where they hold on the whole table, and are refused else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.app import run_file
from microveil.errors import InputError
from microveil.planning import files
from tests.planning.test_parts_equal_whole import HIERARCHIES, people, recipe_of

STEPS: list[dict[str, Any]] = [
    {
        "method": "optimal_generalization",
        "k": 4,
        "hierarchies": HIERARCHIES,
        "suppression_share": 0.05,
    }
]
MEASURES: dict[str, dict[str, Any]] = {
    "class_sizes": {"measure": "class_sizes", "at_most": 0.3},
    "average_risk": {"measure": "class_sizes", "part": "average_risk", "at_most": 0.3},
    "individual_risk": {"measure": "individual_risk", "at_most": 1.0},
    "attribute_disclosure": {"measure": "attribute_disclosure", "at_most": 1.0},
    "cell_changes": {"measure": "cell_changes", "at_most": 0.9},
    "discernibility": {"measure": "discernibility", "at_most": 0.9},
    "average_class_size": {"measure": "average_class_size", "at_most": 0.9},
    "distribution_distance": {
        "measure": "distribution_distance",
        "columns": ["sex", "ill"],
        "at_most": 0.9,
    },
    "labels": {
        "measure": "distribution_distance",
        "columns": list(HIERARCHIES),
        "at_most": 0.9,
    },
    **{
        name: {"measure": name, "at_most": 1.0}
        for name in (
            "record_linkage",
            "replicated_uniques",
            "inference",
            "generalization_loss",
            "entropy_loss",
            "il1s",
            "propensity",
            "safe_harbor",
        )
    },
}


@pytest.mark.parametrize("case", MEASURES)
def test_a_measure_is_the_same_in_parts_and_on_the_whole(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PART", 150)
    source, out = tmp_path / "people.parquet", tmp_path / "out.parquet"
    people().write_parquet(source)
    recipe = recipe_of(STEPS, require=[MEASURES[case]])
    parts = run_file(recipe, source, out, seed=1, in_parts=True)
    whole = mv.run(recipe, people(), seed=1)
    assert parts.in_parts
    assert parts.checks[0].reason == whole.checks[0].reason == ""  # type: ignore[attr-defined]
    assert parts.checks[0].achieved == pytest.approx(whole.checks[0].achieved)
    assert parts.checks[0].n_records == whole.checks[0].n_records
    assert parts.holds == whole.holds == out.exists()


def test_people_are_counted_in_parts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PART", 150)
    source, out = tmp_path / "people.parquet", tmp_path / "out.parquet"
    frame = people().with_columns(who=pl.int_range(pl.len()) // 2)
    frame.write_parquet(source)
    required = [
        {"measure": name, "at_most": 100.0} for name in ("record_linkage", "cell_changes", "il1s")
    ]
    recipe = recipe_of(STEPS, require=required)
    roles = recipe.roles.model_copy(update={"entity": "who"})
    recipe = recipe.model_copy(update={"roles": roles, "keep": ("who",)})
    parts = run_file(recipe, source, out, seed=1, in_parts=True)
    whole = mv.run(recipe, frame, seed=1)
    found = [one.achieved for one in parts.checks]
    assert found == pytest.approx([one.achieved for one in whole.checks])


def test_a_broken_limit_yields_no_file(tmp_path: Path) -> None:
    source, out = tmp_path / "people.parquet", tmp_path / "out.parquet"
    people().write_parquet(source)
    recipe = recipe_of(STEPS, require=[{"measure": "class_sizes", "at_most": 0.001}])
    result = run_file(recipe, source, out, seed=1, in_parts=True)
    assert not result.holds
    assert list(tmp_path.iterdir()) == [source]


def test_class_sizes_prove_nothing_after_perturbation_here_either(tmp_path: Path) -> None:
    source, out = tmp_path / "people.parquet", tmp_path / "out.parquet"
    people().write_parquet(source)
    recipe = recipe_of(
        [{"method": "pram", "columns": ["town"], "retention": 0.8}],
        require=[MEASURES["class_sizes"]],
    )
    result = run_file(recipe, source, out, seed=1, in_parts=True)
    whole = mv.run(recipe, people(), seed=1)
    assert not result.holds
    assert result.checks[0].sentence() == whole.checks[0].sentence()


@pytest.mark.parametrize(
    ("measure", "instead"), [("record_linkage", "class_sizes"), ("il1s", "discernibility")]
)
def test_more_rows_than_memory_holds_are_not_compared(
    measure: str, instead: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("microveil.app.file_runs.in_parts.memory_with_rows", lambda *_: 1e18)
    source = tmp_path / "people.parquet"
    people().write_parquet(source)
    recipe = recipe_of(STEPS, require=[{"measure": measure, "at_most": 0.1}])
    with pytest.raises(InputError, match=f"'{measure}' compares records.*memory_limit.*{instead}"):
        run_file(recipe, source, tmp_path / "o.csv", in_parts=True)
    assert list(tmp_path.iterdir()) == [source]
