"""Every door gives one number: direct, compare, draft, requirement, report, and in parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import microveil as mv
from microveil.app import run_file
from microveil.measures.base import Measure
from microveil.planning import files
from microveil.reports import summarize
from tests.conformance import recoded

KINDS = ("tree", "types", "quarter")


@pytest.mark.parametrize("kind", KINDS)
def test_a_measure_is_one_number_at_every_door(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PART", 15)
    every = recoded.measures(tmp_path, quick=True)
    made = recoded.release(kind, {"missing": "wildcard"})
    release = mv.run(made.recipe, recoded.people(), seed=1)
    compared = mv.compare(
        recoded.people(), release.table, recipe=made.recipe, measures=list(every.values())
    )
    found = {**compared.risk, **compared.utility}
    assert len(found) > 35
    required, parts = _limits(made.recipe, every, tmp_path)
    report = summarize(release)
    shown = dict(report.risk_scores or {})
    assert shown
    differ: dict[str, list[float]] = {}
    for name, score in found.items():
        ways = [_direct(every[name], made, release), required[name], parts[name]]
        if ways != pytest.approx([score.value] * 3):
            differ[name] = [score.value, *ways]
        # Reports take attacks on samples of their own, and default settings.
        if name in shown and every[name] == type(every[name])():
            assert _value(shown[name]["after"]) == pytest.approx(score.value), name
    assert not differ


def _value(shown: Any) -> float:
    """The number of a score as a report has it."""
    return float(shown["value"] if isinstance(shown, dict) else getattr(shown, "value", shown))


def _direct(measure: Measure, made: recoded.Made, release: mv.Release) -> float:
    one: Any = measure
    # Of one table, too, the recipe says how missing keys are treated.
    return float(one.measure(release.original, release.table, recipe=made.recipe).value)


def _limits(
    recipe: mv.Recipe, every: dict[str, Measure], folder: Path
) -> tuple[dict[str, float], dict[str, float]]:
    """What requirements reach, in memory and in parts."""
    asked = recipe.model_copy(
        update={"require": tuple(mv.limit(one, at_most=1e9) for one in every.values())}
    )
    source, out = folder / "people.parquet", folder / "out.parquet"
    recoded.people().write_parquet(source)
    whole = mv.run(asked, recoded.people(), seed=1).checks
    parts = run_file(asked, source, out, seed=1, in_parts=True, keep_order=True).checks
    return {one.model: one.achieved for one in whole}, {one.model: one.achieved for one in parts}
