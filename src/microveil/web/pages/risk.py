"""Risk: who can be singled out in the original data, and what an intruder would learn."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection

from microveil.errors import InputError
from microveil.risk import Assessment
from microveil.texts import Message
from microveil.web import actions
from microveil.web.parts.charts import bar_list
from microveil.web.parts.elements import (
    button,
    card,
    checkbox,
    div,
    figure_number,
    heading,
    link,
    table,
    words,
)
from microveil.web.parts.find_me import find_me
from microveil.web.parts.measures import attacker_table, measure_table, verdict_list
from microveil.web.parts.page import Page
from microveil.web.project.risk_view import RiskView, size_bars

MOST_WORST = 20
"""Smallest classes that are shown on request."""


def content(page: Page) -> None:
    """The keys, what they single out, and deeper measures on request."""
    with div():
        heading(page.text("risk.title"), 1)
        words(page.text("risk.lead"), "lead")
    _keys(page)
    _deeper(page)
    find_me(page)
    with div("row"):
        link(page.text("next.protect"), "/protect", "button primary")


def _chosen_keys(page: Page) -> list[str]:
    """The keys looked at: those of the roles until others are tried."""
    form = page.form("risk")
    return list(form.get("keys", page.project.plan.roles.quasi_identifiers))


def _keys(page: Page) -> None:
    form, roles = page.form("risk"), page.project.plan.roles
    chosen = _chosen_keys(page)

    def tick(column: str, on: bool) -> None:  # noqa: FBT001  a box's state
        left = [one for one in _chosen_keys(page) if one != column]
        order = page.project.frame.columns
        form["keys"] = sorted([*left, column] if on else left, key=order.index)
        if form["keys"]:
            page.project.key_risk(form["keys"])  # counted here, not while the page is drawn

    def keep() -> None:
        named = set(_chosen_keys(page))
        raw = roles.to_dict() | {"quasi_identifiers": _chosen_keys(page)}
        for other in ("identifiers", "sensitive", "insensitive"):
            raw[other] = [one for one in getattr(roles, other) if one not in named]
        actions.change(page.session, page.project.plan.with_roles(type(roles).parse(raw)))
        form.pop("keys", None)

    with card("keys"):
        heading(page.text("risk.keys"))
        words(page.text("risk.keys_lead"), "hint")
        _boxes(page, tick, chosen)
        if set(chosen) != set(roles.quasi_identifiers):
            with div("row middle"):
                button(page.text("risk.keep"), page.do(keep), kind="primary")
                button(page.text("risk.back"), page.do(lambda: form.pop("keys", None)))
        _draw_counts(page, chosen)


def _draw_counts(page: Page, keys: list[str]) -> None:
    """What the keys single out."""
    if not keys:
        words(page.text("risk.none"), "hint")
        return
    project = page.project
    found = page.find(*project.key_question(keys), work=lambda: project.assess_keys(keys))
    if found is not None:
        _numbers(page, found)


def _boxes(page: Page, tick: Callable[[str, bool], None], chosen: Collection[str]) -> None:
    """A box to tick for each column."""
    with div("chips"):
        for column in page.project.frame.columns:
            ticked = _tick_later(page, tick, column)
            checkbox(column, column in chosen, ticked, classes="chip", key=f"key {column}")


def _tick_later(
    page: Page, tick: Callable[[str, bool], None], column: str
) -> Callable[[bool], Awaitable[None]]:
    async def run_tick(on: bool) -> None:  # noqa: FBT001  a box's state
        await page.run(lambda: tick(column, on))

    return run_tick


def _numbers(page: Page, found: Assessment) -> None:
    with div("stats"):
        figure_number(
            str(found.k),
            "k",
            tone="good" if found.acceptable else "bad",
            meaning=page.text("meaning.k", k=found.acceptable_k),
        )
        figure_number(
            page.number(found.n_unique),
            page.text("risk.unique"),
            tone="bad" if found.n_unique else "good",
            meaning=page.text("meaning.unique"),
        )
        figure_number(
            page.number(found.average_risk, "%"),
            page.text("risk.average"),
            meaning=page.text("meaning.average"),
        )
        figure_number(
            page.number(found.n_classes),
            page.text("risk.classes"),
            meaning=page.text("meaning.classes"),
        )
    words(
        page.text(
            "risk.below",
            n=page.number(found.n_below),
            k=found.acceptable_k,
            share=page.number(found.below_share, "%"),
        )
    )
    _people(page, found)
    with div():
        heading(page.text("risk.sizes"), 3)
        bar_list(size_bars(found.sizes), page.text("risk.sizes"), language=page.session.language)


def _people(page: Page, found: Assessment) -> None:
    """That people are counted, and how many, where rows have an entity."""
    if found.n_people is not None:
        words(
            page.text(
                "risk.people",
                column=found.standing.entity,
                n=page.number(found.n_people),
                unique=page.number(found.n_unique_people or 0),
            )
        )


def _deeper(page: Page) -> None:
    project, language = page.project, page.session.language
    found = project.risks.get(project.keys()[0])
    with card("deeper"):
        heading(page.text("risk.deeper"))
        if found is None:
            words(page.text("risk.deeper_lead"), "hint")
            button(
                page.text("risk.measure"),
                page.do(lambda: actions.measure_risk(page.session)),
                disabled=page.session.busy,
            )
            return
        verdict_list(page, found.verdicts)
        attacker_table(page, found.attackers)
        with div("grid two"):
            if found.individual:
                with div():
                    heading(page.text("risk.individual"), 3)
                    words(page.text("risk.individual_lead"), "hint")
                    rows = [
                        (page.range(bar.label), bar.value) for bar in found.individual if bar.value
                    ]
                    bar_list(rows, page.text("risk.individual"), language=language)
            if found.contributions:
                with div():
                    heading(page.text("risk.suda"), 3)
                    words(page.text("risk.suda_lead"), "hint")
                    bar_list(
                        [(bar.label, bar.value) for bar in found.contributions],
                        page.text("risk.suda"),
                        shares=True,
                        total=1,
                        language=language,
                    )
        _scenarios(page, found)
        measure_table(page, found.measures, page.text("risk.measures"))
        _worst(page)


def _scenarios(page: Page, found: RiskView) -> None:
    if found.scenarios:
        rows = [[name, str(k), page.number(n)] for name, (k, n) in found.scenarios.items()]
        table(
            [page.text("scenario.title"), "k", page.text("risk.unique")],
            rows,
            caption=page.text("scenario.title"),
            numeric=[1, 2],
        )


def _worst(page: Page) -> None:
    """The rarest combinations, shown only on request."""
    form = page.form("risk")
    if not form.get("worst"):
        button(page.text("risk.show_worst"), page.do(lambda: form.update(worst=True)))
        return
    keys = list(page.project.plan.roles.quasi_identifiers)
    if not keys:
        raise InputError(
            Message("app.risk_needs_quasi_identifiers", "Risk needs quasi-identifiers.")
        )
    heading(page.text("risk.worst"), 3)
    project = page.project
    found = page.find(
        "worst",
        *project.key_question(keys),
        work=lambda: project.assess_keys(keys, MOST_WORST),
    )
    if found is None:
        return
    rows = [
        [str(worst.size), *("∅" if one is None else str(one) for one in worst.values.values())]
        for worst in found.worst
    ]
    table([page.text("risk.size"), *keys], rows, caption=page.text("risk.worst"), numeric=[0])
    button(page.text("risk.hide_worst"), page.do(lambda: form.pop("worst", None)))
