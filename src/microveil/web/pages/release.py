"""Release: each requirement with its verdict, steps that would fix a failure, and the files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from microveil.app.advising import mends_for
from microveil.files import FORMATS
from microveil.methods import Drop, Method, Pseudonymize
from microveil.recipes import Recipe
from microveil.release.cautions import Caution
from microveil.texts.naming import summary
from microveil.web import actions
from microveil.web.parts.elements import (
    Node,
    button,
    card,
    div,
    fold,
    heading,
    link,
    select,
    words,
)
from microveil.web.parts.page import Page
from microveil.web.parts.requirements import requirements
from microveil.web.project.releasing import Made

PAPERS = (
    "data",
    "report_public",
    "report_pdf",
    "report_internal",
    "certificate",
    "certificate_pdf",
    "recipe",
    "script",
    "record",
    "metadata",
)


def content(page: Page) -> None:
    """Check the requirements, fix what fails, and make the files."""
    with div():
        heading(page.text("release.title"), 1)
        words(page.text("release.lead"), "lead")
    project = page.project
    made = project.made.get(project.verdict_key())
    with card("require"):
        heading(page.text("require.title"))
        if made is None:
            requirements(page)
            button(
                page.text("release.check"),
                page.do(lambda: actions.check(page.session)),
                disabled=page.session.busy,
                kind="primary",
            )
        else:
            _verdicts(page, made)
            with fold(page.text("require.change"), key="require change"):
                requirements(page)
    _files(page, made)


def _verdicts(page: Page, made: Made) -> None:
    if not made.checks:
        words(page.text("release.nothing_required"), "hint")
    for check in made.checks:
        with div("verdict"):
            page.mark(holds=check.holds)
            with div():
                Node("div", page.say(check.sentence))
                if not check.holds:
                    _mends(page, list(mends_for(check.model, page.project.recipe)))
    for column in made.undecided:
        _draw_undecided(page, column)
    if len(made.undecided) > 1:
        button(
            page.text("release.leave_all", n=len(made.undecided)),
            page.do(lambda: _add(page, Drop(columns=tuple(made.undecided)))),
            key="leave all out",
        )
    for place, caution in enumerate(made.cautions):
        _caution(page, place, caution)
    for warning in made.warnings:
        with div("notice"):
            Node("span", page.say(warning), "notice-text")
    if made.refused:
        with div("notice error"):
            Node("span", page.say(made.refused), "notice-text")


def _caution(page: Page, place: int, caution: Caution) -> None:
    """What a requirement leaves open, with the step or the requirement that sees to it."""
    step, require = caution.details.get("step"), caution.details.get("require")
    with div("notice"):
        Node("span", page.say(caution.sentence), "notice-text")
        with div("row middle"):
            if step is not None:
                button(
                    page.text("release.mend_with", name=page.method(step["method"])),
                    page.do(partial(_begin_with, page, step)),
                    key=f"caution step {place}",
                )
            if require is not None:
                button(
                    page.text("release.require_it"),
                    page.do(partial(_require, page, require)),
                    key=f"caution require {place}",
                )


def _begin_with(page: Page, step: Mapping[str, Any]) -> None:
    (taken,) = Recipe.parse({"steps": [dict(step)]}).steps
    actions.change(page.session, page.project.plan.beginning_with(taken))


def _require(page: Page, require: Mapping[str, Any]) -> None:
    actions.change(page.session, page.project.plan.requiring(require))


def _mends(page: Page, steps: list[Method]) -> None:
    with div("row middle"):
        words(page.text("release.mend"), "hint", "span")
        for step in steps:
            name = page.method(step.kind())
            button(
                page.text("release.mend_with", name=name),
                page.do(partial(_add, page, step)),
                hint=summary(page.session.language, type(step)),
                key=f"mend {step.kind()}",
            )


def _add(page: Page, step: Method) -> None:
    actions.change(page.session, page.project.plan.with_step(step))


def _keep(page: Page, column: str) -> None:
    actions.change(page.session, page.project.plan.keep_column(column))


def _draw_undecided(page: Page, column: str) -> None:
    with div("verdict"):
        Node("span", "✘", "mark bad", role="img", aria_label=page.text("release.broken"))
        with div():
            Node("div", page.text("release.undecided", column=column))
            with div("row middle"):
                button(
                    page.text("release.leave_out"),
                    page.do(lambda: _add(page, Drop(columns=(column,)))),
                    key=f"leave out {column}",
                )
                button(
                    page.text("release.pseudonymize"),
                    page.do(lambda: _add(page, Pseudonymize(columns=(column,)))),
                    key=f"pseudonymize {column}",
                )
                if column not in page.project.plan.roles.identifiers:
                    button(
                        page.text("release.keep"),
                        page.do(lambda: _keep(page, column)),
                        key=f"keep {column}",
                    )


def _files(page: Page, made: Made | None) -> None:
    form = page.form("release")
    session = page.session
    key = page.project.verdict_key()
    with card("files"):
        heading(page.text("release.files"))
        suffix = str(form.get("suffix", same_suffix(page.project.source)))
        ready = made is not None and made.holds
        with div("row"):
            select(
                page.text("release.format"),
                dict(formats()),
                suffix,
                page.note(form, "suffix"),
                key="suffix",
            )
            button(
                page.text("release.make"),
                page.do(lambda: actions.release(session, str(form.get("suffix", suffix)))),
                kind="primary",
                disabled=not ready or session.busy,
                key="make",
            )
        if not ready:
            words(
                page.text("release.refused" if made is not None else "release.check_first"), "hint"
            )
        if made is None or not made.files:
            return
        with div("notice success"):
            Node("span", page.text("release.done", n=page.number(made.n_records)), "notice-text")
        with Node("ul", None, "grid"):
            for paper in PAPERS:
                offered = session.offered.get(f"{key} {paper}")
                if offered is not None:
                    with Node("li", None, "step"):
                        link(page.text(f"paper.{paper}"), offered[0], "strong", download=offered[1])
                        words(page.text(f"paper.{paper}_hint"), "hint")


def same_suffix(source: str) -> str:
    """The suffix of the format that the data came in, if it can be written; otherwise CSV.

    >>> same_suffix("survey.sav"), same_suffix("people.rds"), same_suffix("an example")
    ('.sav', '.csv', '.csv')
    """
    lower = source.lower()
    found = [
        known.suffixes[0]
        for known in FORMATS
        if known.sink is not None and not known.database and lower.endswith(known.suffixes)
    ]
    return found[0] if found else ".csv"


def formats() -> Iterator[tuple[str, str]]:
    """The suffix and title of every format of files that can be written."""
    for known in FORMATS:
        if known.sink is not None and known.suffixes:
            yield known.suffixes[0], f"{known.title} ({known.suffixes[0]})"
