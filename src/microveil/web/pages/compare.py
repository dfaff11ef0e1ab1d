"""Compare: the result with the original, and variants with each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from microveil.app.effects import Effect
from microveil.texts.naming import name_of
from microveil.web import actions
from microveil.web.pages.protect import point_of
from microveil.web.parts.charts import before_after, ru_map
from microveil.web.parts.elements import (
    Click,
    Node,
    button,
    card,
    div,
    fold,
    heading,
    link,
    select,
    table,
    text_field,
    words,
)
from microveil.web.parts.find_me import find_me
from microveil.web.parts.measures import measure_table, verdict_list
from microveil.web.parts.page import Page
from microveil.web.project.columns import OTHERS, Bin
from microveil.web.project.comparing import ColumnPair, PairView
from microveil.web.project.plan import ProjectPlan

MOST_SKIPPED = 12


def content(page: Page) -> None:
    """Variants, columns before and after, measures and attacks, find me."""
    with div():
        heading(page.text("compare.title"), 1)
        words(page.text("compare.lead"), "lead")
    _variants(page)
    _columns(page)
    _measures(page)
    find_me(page)
    with div("row"):
        link(page.text("next.release"), "/release", "button primary")


def _variants(page: Page) -> None:
    project, form = page.project, page.form("pin")
    with card("variants"):
        heading(page.text("compare.variants"))
        words(page.text("compare.variants_lead"), "hint")
        with div("row"):
            text_field(
                page.text("compare.name"), str(form.get("name", "")), page.note(form, "name")
            )
            button(page.text("compare.pin"), page.do(lambda: _pin(page)))
        plans = {page.text("compare.now"): project.plan, **project.pinned}
        rows = [_variant_row(page, name, plan) for name, plan in plans.items()]
        table(
            [
                page.text("compare.name"),
                page.text("protect.steps"),
                "k",
                page.text("risk.unique"),
                page.text("risk.average"),
                page.text("map.loss"),
            ],
            rows,
            caption=page.text("compare.variants"),
            numeric=[1, 2, 3, 4, 5],
        )
        _points(page)
        for name in project.pinned:
            _draw_pinned(page, name)


def _draw_pinned(page: Page, name: str) -> None:
    """A pinned variant, to go on with or to remove."""
    with div("row middle"):
        Node("span", name)
        button(
            page.text("compare.take"),
            page.do(partial(_take, page, name)),
            label=page.text("compare.take_named", name=name),
            key=f"take {name}",
        )
        button(
            "×",
            page.do(partial(page.project.pinned.pop, name)),
            kind="quiet",
            label=page.text("remove_named", name=name),
            key=f"unpin {name}",
        )


def _pin(page: Page) -> None:
    actions.pin(page.session, str(page.form("pin").get("name", "")))
    page.form("pin").clear()


def _take(page: Page, name: str) -> None:
    actions.change(page.session, page.project.pinned[name])


def _variant_row(page: Page, name: str, plan: ProjectPlan) -> list[str]:
    effect = page.project.effect(plan)
    steps = str(len(plan.recipe.steps))
    if effect is None:
        return [name, steps, "…", "…", "…", "…"]
    risk = "–" if effect.average_risk is None else page.number(effect.average_risk, "%")
    unique = "–" if effect.n_unique is None else page.number(effect.n_unique)
    return [name, steps, str(effect.k or "–"), unique, risk, page.number(effect.loss, "%")]


def _points(page: Page) -> None:
    """The original, the pinned variants and the present plan on the map, where their risk is known.

    Without a step, the present plan is the original.
    """
    project = page.project
    start = project.effects.get(project.keys()[0]) if project.recipe.steps else None
    states: list[tuple[str, Effect | None, str, Click | None]] = [
        (page.text("find.original"), start, "start", None)
    ]
    for name, plan in project.pinned.items():
        states.append((name, project.effect(plan), "", page.do(partial(_take, page, name))))
    states.append((page.text("compare.now"), project.effect(), "now", None))
    points = [
        replace(point_of(name, effect, page, kind), click=click)
        for name, effect, kind, click in states
        if effect is not None and effect.average_risk is not None
    ]
    if points:
        ru_map(points, page.text("map.risk"), page.text("map.loss"), page.text("map.click"))


def _columns(page: Page) -> None:
    """Bars of each column, counted in the background while the page stays responsive.

    Those of a folded column are drawn when it is unfolded: all of them are most of the page.
    """
    project = page.project
    looked: set[str] = page.form("columns").setdefault("looked", set())
    with card("columns"):
        heading(page.text("compare.columns"))
        if not project.up_to_date():
            words(page.text("step.waiting"), "hint")
            return
        for place, pair in enumerate(
            page.find("columns", project.key, work=project.pairs_now) or ()
        ):
            # Each one hears of clicks, drawn or not: the first may be another one next time.
            unfold = partial(_unfold, page, looked, pair.name)
            with fold(pair.name, open_=place < 1, key=f"column {pair.name}", click=unfold):
                if place < 1 or pair.name in looked:
                    _pair(page, pair)


def _unfold(page: Page, looked: set[str], name: str) -> None:
    """Draw the bars of a column that is unfolded for the first time."""
    if name not in looked:
        page.at_once(partial(looked.add, name))()


def _pair(page: Page, pair: ColumnPair) -> None:
    before_after(
        _bars(page, pair.before),
        _bars(page, pair.after),
        (page.text("before"), page.text("after")),
        page.text("compare.gone"),
        page.session.language,
    )


def _bars(page: Page, bins: Sequence[Bin]) -> list[tuple[str, float]]:
    """Label and height of each bar; ranges of numbers as the person's language writes them."""
    others = {OTHERS: page.text("compare.others")}
    return [
        (others.get(one.label, one.label) if one.low is None else page.range(one.label), one.count)
        for one in bins
    ]


def _measures(page: Page) -> None:
    project, form = page.project, page.form("compare")
    found = project.pairs.get(project.key)
    with card("measures"):
        heading(page.text("compare.measures"))
        words(page.text("compare.measures_lead"), "hint")
        with div("row"):
            button(
                page.text("compare.measure"),
                page.do(lambda: actions.compare(page.session)),
                disabled=page.session.busy,
            )
            columns = {"": page.text("none")} | {name: name for name in project.frame.columns}
            select(
                page.text("compare.target"),
                columns,
                str(form.get("target", "")),
                page.note(form, "target"),
            )
            button(
                page.text("compare.predict"),
                page.do(lambda: _predict(page)),
                disabled=page.session.busy,
            )
        if found is not None:
            _draw_result(page, found)


def _predict(page: Page) -> None:
    target = str(page.form("compare").get("target", ""))
    actions.compare(page.session, target or None)


def _draw_result(page: Page, found: PairView) -> None:
    verdict_list(page, found.verdicts)
    for note in found.notes:
        words(page.say(note), "hint")
    measure_table(page, found.risk, page.text("compare.risk"))
    measure_table(page, found.utility, page.text("compare.utility"))
    if found.correlations:
        rows = [
            [f"{one} × {other}", page.number(a, ".3f"), page.number(b, ".3f")]
            for one, other, a, b in found.correlations
        ]
        with fold(page.text("compare.correlations")):
            table(
                [page.text("compare.pair"), page.text("before"), page.text("after")],
                rows,
                caption=page.text("compare.correlations"),
                numeric=[1, 2],
            )
    if found.skipped:
        with fold(page.text("compare.skipped", n=len(found.skipped))), Node("ul"):
            for name, why in list(found.skipped.items())[:MOST_SKIPPED]:
                Node("li", f"{name_of(page.session.language, name)}: {page.say(why)}", "hint")
