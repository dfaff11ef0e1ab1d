"""Every surface shows the same numbers about risk, and they are those of an independent recount."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil import app
from microveil.cli import main
from microveil.display import number
from microveil.files import Labels
from microveil.reports.words.wording import number as report_number
from microveil.web.access import Address
from microveil.web.pages.compare import content as compare_page
from microveil.web.pages.risk import content as risk_page
from microveil.web.project.plan import ProjectPlan
from microveil.web.project.project import Project
from microveil.web.project.states import write_frame
from microveil.web.project.tasks import Opened
from microveil.web.sessions import WebSession
from tests.conformance.surfaces import Setting, fewer, recount, settings, visits
from tests.web.drawing import AtOnce, Paper, ready

FRAME = visits()
Numbers = Mapping[str | None, Mapping[str, Any]]

each = pytest.mark.parametrize("setting", list(settings()), ids=lambda one: one.name)
each_that_differs = pytest.mark.parametrize("setting", fewer(), ids=lambda one: one.name)


def before(setting: Setting) -> Numbers:
    return recount(setting.recipe, FRAME)


def after(setting: Setting, release: mv.Release) -> Numbers:
    return recount(setting.recipe, FRAME, release.table.rows, release.table.frame)


def check(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Every number that both know is equal, and what counts people says so."""
    shared = set(found) & set(wanted)
    assert {"n_records", "k", "n_unique", "n_classes", "average_risk"} <= shared
    assert {name: found[name] for name in shared} == pytest.approx(
        {name: wanted[name] for name in shared}
    )
    assert found["counts"] == ("people" if "n_people" in wanted else "records")
    assert ("n_people" in found) == ("n_people" in wanted)


def check_all(found: Mapping[str, Any], wanted: Numbers) -> None:
    check(found, wanted[None])
    scenarios = found.get("scenarios", {})
    assert set(scenarios) == set(wanted) - {None}
    for name, one in scenarios.items():
        check(one, wanted[name])


@each
def test_an_assessment(setting: Setting) -> None:
    recipe = setting.recipe
    found = mv.assess(FRAME, recipe.roles, missing=setting.missing, measures=["class_sizes"])
    check_all(found.to_dict(), before(setting))
    parts = found.scores["class_sizes"].parts
    for name in ("k", "n_classes", "n_unique", "average_risk"):
        assert parts[name] == pytest.approx(before(setting)[None][name])
    average = before(setting)[None]["average_risk"]
    assert found.verdicts[1].question == "linkability"
    if not setting.weight:
        shown = re.search(r"in ([\d.]+)\s?% of cases on average", str(found.verdicts[1].sentence))
        assert shown is not None
        assert float(shown[1]) == pytest.approx(100 * average, rel=0.01)


@each
def test_a_draft_and_the_release_made_of_it(setting: Setting) -> None:
    recipe = setting.recipe
    start = mv.Draft.start(FRAME, recipe.roles, seed=1)
    draft = mv.Draft(recipe.model_copy(update={"steps": ()}), start._door, start._states)
    for step in recipe.steps:
        draft = draft.apply(step)
    release = draft.release()
    states = (before(setting), after(setting, release))
    rows = draft.card().grids[0].rows
    for row, wanted in zip((rows[0], rows[-1]), states, strict=True):
        main = wanted[None]
        shown = [main[name] for name in ("n_records", "k", "n_unique", "average_risk")]
        assert list(row[1:5]) == [number(one) for one in shown]
    lines = "\n".join(draft.card().lines)
    assert ("count people" in lines) == setting.entity
    if setting.scenario:
        assert f"scenario office: k = {states[1]['office']['k']}; " in lines
    check_all(release.risk_before.to_dict(), states[0])
    check_all(release.risk.to_dict(), states[1])
    check_all(draft.risk().to_dict(), states[1])
    again = mv.run(recipe, FRAME, seed=1)
    assert again.risk.to_dict() == release.risk.to_dict()


@each_that_differs
def test_reports(setting: Setting, tmp_path: Path) -> None:
    release = mv.run(setting.recipe, FRAME, seed=1)
    wanted = (before(setting), after(setting, release))
    plain = json.loads(release.report(tmp_path / "r.json").read_text("utf-8"))
    for one in plain["risk"]:
        check(one["before"], wanted[0][one.get("scenario")])
        check(one["after"], wanted[1][one.get("scenario")])
    page = re.sub(r"<[^>]+>", "|", release.report(tmp_path / "r.html").read_text("utf-8"))
    page = re.sub(r"\|[|\s]*", "|", page)
    shown = [
        ("Smallest class (k)", "k"),
        ("Classes", "n_classes"),
        *([("Unique people", "n_unique_people")] if setting.entity else []),
    ]
    for words, name in shown:
        old, new = (report_number(side[None][name]) for side in wanted)
        assert f"|{words}|{old}|{new}|" in page
    old, new = (side[None]["n_unique"] for side in wanted)
    assert re.search(rf"\|Unique records\|{old} \([^|]*\)\|{new}\b", page) or not old
    assert ("whom classes and k count" in page) == setting.entity


def call(monkeypatch: pytest.MonkeyPatch, capsys: Any, *arguments: object) -> str:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "argv", ["microveil", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        main()
    assert not end.value.code
    return str(capsys.readouterr().out)


@each_that_differs
def test_commands_and_runs_in_parts(
    setting: Setting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    data, recipe = tmp_path / "d.parquet", tmp_path / "r.yaml"
    FRAME.write_parquet(data)
    setting.recipe.write(recipe)

    def said(*more: object) -> str:
        return call(monkeypatch, capsys, *more)

    risk = ("risk", data, "--recipe", recipe, "--measures", "none")
    check_all(json.loads(said(*risk, "--json")), before(setting))
    main_part = before(setting)[None]
    text = said(*risk)
    for words, name in (("unique records", "n_unique"), ("classes", "n_classes")):
        assert re.search(rf"{words}\s+{main_part[name]:,}\b", text)
    assert ("unique people" in text) == setting.entity
    release = mv.run(setting.recipe, FRAME, seed=1)
    wanted = after(setting, release)
    run = ("run", recipe, data, "--seed", 1, "--out", tmp_path / "o.parquet")
    whole = json.loads(said(*run, "--json"))
    check_all(whole["risk"], wanted)
    check_all(whole["risk"]["before"], before(setting))
    shown = said(*run)
    for words, name in (("unique records", "n_unique"), ("classes", "n_classes"), ("k", "k")):
        old, new = main_part[name], wanted[None][name]
        assert re.search(rf"^\s*{words}\s+{old:,}\s+{new:,}\s*$", shown, re.MULTILINE)
    if not setting.entity:  # people are counted in memory, so such a table is no matter of parts
        parts = json.loads(said(*run, "--in-parts", "--json"))
        assert parts["in_parts"]
        check_all(parts["risk"], wanted)
        check_all(parts["risk"]["before"], before(setting))


def page_of(folder: Path, recipe: mv.Recipe, name: str) -> Paper:
    workers: Any = AtOnce()
    server: Any = SimpleNamespace(address=Address(), databases=False, largest_upload=2**20)
    session = WebSession("id", folder, workers)
    data = folder / "data.arrow"
    write_frame(FRAME, data)
    opened = Opened(FRAME.height, {}, app.inspect(FRAME), Labels())
    session.project = Project.begin("visits.csv", data, opened)
    from microveil.web import actions

    actions.change(session, ProjectPlan.of(recipe))
    assert session.notice is None
    return Paper(server, session, name, lambda _: None)


@each_that_differs
def test_the_app(setting: Setting, tmp_path: Path) -> None:
    page = page_of(tmp_path, setting.recipe, "risk")
    project, texts = page.project, ready(page, lambda: risk_page(page)).texts
    wanted = before(setting)[None]
    for label, shown in (
        ("k", str(wanted["k"])),
        (page.text("risk.unique"), page.number(wanted["n_unique"])),
        (page.text("risk.average"), page.number(wanted["average_risk"], ".1%")),
        (page.text("risk.classes"), page.number(wanted["n_classes"])),
    ):
        assert texts[texts.index(label) - 1] == shown
    said = "\n".join(texts)
    assert ("count people" in said) == setting.entity
    if setting.entity:
        assert f"{wanted['n_unique_people']} share their keys with nobody" in said
    for keys in (("sex",), ("age", "ill")):
        other = setting.recipe.with_values({"roles.quasi_identifiers": list(keys)})
        check(project.key_risk(keys).to_dict(), recount(other, FRAME)[None])
    states = project.keys()
    release = mv.run(setting.recipe, FRAME, seed=1)
    for key, numbers in ((states[0], before(setting)), (states[-1], after(setting, release))):
        effect = project.effects[key]
        assert effect.standing is not None
        check(effect.standing.to_dict(), numbers[None])
        assert (effect.k, effect.n_unique) == (numbers[None]["k"], numbers[None]["n_unique"])
        for name, one in effect.scenarios.items():
            check(one.to_dict(), numbers[name])
    compared = "\n".join(ready(page, lambda: compare_page(page)).texts)
    assert page.number(after(setting, release)[None]["average_risk"], ".1%") in compared


def test_the_settings_differ_in_what_they_count() -> None:
    seen = {
        tuple(sorted((key, value) for key, value in before(one)[None].items()))
        for one in settings()
    }
    assert len(seen) == 4  # people or rows, a gap as a value or as a wildcard
    assert FRAME["age"].null_count()
    assert FRAME.select(pl.struct("person", "job").n_unique()).item() > FRAME["person"].n_unique()
