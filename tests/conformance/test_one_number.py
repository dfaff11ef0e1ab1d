"""Every door gives one number: direct, compare, draft, requirement, report, and in parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import microveil as mv
from microveil.app import run_file
from microveil.files import Labels
from microveil.measures.base import Measure
from microveil.methods.parts.streams import Chance
from microveil.planning import files
from microveil.progress import silent
from microveil.reports import summarize
from microveil.web.project import tasks
from microveil.web.project.plan import state_keys
from microveil.web.project.states import States, write_frame
from tests.conformance import recoded

KINDS = ("tree", "types", "quarter")
SETTINGS: dict[str, dict[str, str]] = {
    "missing": {"missing": "wildcard"},
    "weight": {"weight": "w"},
    "people": {"entity": "person", "household": "home"},
}
cases = pytest.mark.parametrize(
    ("kind", "setting"), list(zip(KINDS, SETTINGS, strict=True)), ids=KINDS
)


@cases
def test_a_measure_is_one_number_at_every_door(
    kind: str, setting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PART", 15)
    every = recoded.measures(tmp_path, quick=True)
    made = recoded.release(kind, SETTINGS[setting])
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


@cases
def test_the_pages_of_the_app_show_the_numbers_of_the_library(
    kind: str, setting: str, tmp_path: Path
) -> None:
    every = recoded.measures(tmp_path, quick=True)
    recipe = recoded.release(kind, SETTINGS[setting]).recipe
    frame = recoded.people()
    data, states, chance = tmp_path / "data.arrow", States(tmp_path), Chance.of(1, frame)
    write_frame(frame, data)
    release = mv.run(recipe, frame, seed=1)
    # Compare: every measure, with the numbers beside it.
    compared = mv.compare(frame, release.table, recipe=recipe, measures=list(every.values()))
    page = tasks.compare_pair(data, states, recipe, chance, list(every.values()), Labels(), silent)
    found = {**compared.risk, **compared.utility}
    assert {one.name: one.value for one in (*page.risk, *page.utility)} == pytest.approx(
        {name: score.value for name, score in found.items()}
    )
    for one in (*page.risk, *page.utility):
        assert one.parts == pytest.approx({name: found[one.name].parts[name] for name in one.parts})
    # Risk: before and after.
    keys = state_keys(recipe, data.name)
    tasks.apply_steps(data, states, recipe, chance, silent)
    for key, table in ((None, release.original), (keys[-1], release.table)):
        risk = tasks.assess_risk(data, states, key, recipe.roles, recipe, silent)
        told = mv.assess(table, missing=recipe.missing_keys)
        assert (risk.k, risk.n_unique, risk.n_classes) == (told.k, told.n_unique, told.n_classes)
        assert risk.average_risk == told.average_risk
        assert {one.name: one.value for one in risk.measures} == pytest.approx(
            {name: score.value for name, score in told.scores.items()}
        )
    # Protect: the effect of the steps.
    effect = tasks.apply_steps(data, states, recipe, chance, silent).effects[keys[-1]]
    loss = mv.CellChanges().measure(release.original, release.table, recipe=recipe)
    assert effect.loss == pytest.approx(loss.value)
    assert (effect.k, effect.n_unique) == (release.risk.k, release.risk.n_unique)


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
