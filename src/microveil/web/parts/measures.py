"""Measures as tables, verdicts as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from microveil.risk import RISK_MEASURES
from microveil.texts import translate
from microveil.texts.naming import name_of, summary
from microveil.utility import UTILITY_MEASURES
from microveil.web.parts.elements import Node, div, fold, table
from microveil.web.project.risk_view import MeasureView

if TYPE_CHECKING:
    from microveil.risk.assessment.attackers import Attackers
    from microveil.web.parts.page import Page


TINY = 0.0001
"""Below this, the digits of a measure say nothing."""


def summary_of(language: str, name: str) -> str:
    """What a measure is, in a line; its settings stand behind a colon."""
    kind = name.split(":", maxsplit=1)[0]
    for registry in (RISK_MEASURES, UTILITY_MEASURES):
        if kind in registry:
            return summary(language, registry[kind])
    return ""


def value_of(page: Page, value: float) -> str:
    """A measure's value as text; values below TINY are shown as smaller than it."""
    return f"< {page.number(TINY, 'g')}" if 0 < value < TINY else page.number(value, ",.4g")


def measure_table(page: Page, measures: Sequence[MeasureView], caption: str) -> None:
    """Each measure with its value, which way is better, and what it says."""
    if not measures:
        return
    rows = [
        [
            name_of(page.session.language, one.name),
            value_of(page, one.value),
            page.text(f"better.{one.better}"),
            summary_of(page.session.language, one.name),
        ]
        for one in measures
    ]
    with fold(caption):
        table(
            [page.text("measure"), page.text("value"), page.text("better"), page.text("meaning")],
            rows,
            caption=caption,
            numeric=[1],
            classes="wrap",
        )


def verdict_list(page: Page, verdicts: Sequence[tuple[str, str, str]]) -> None:
    """The level of risk for each question, and why."""
    for question, level, sentence in verdicts:
        with div("verdict"):
            Node("span", page.text(f"level.{level}"), f"level {level}")
            with div():
                Node("div", page.text(f"question.{question}"), "strong")
                Node("div", translate(sentence, page.session.language), "hint")


def attacker_table(page: Page, found: Attackers) -> None:
    """Prosecutor, journalist and marketer side by side."""
    if not found.all:
        return
    above = page.text("attackers.above", share=page.number(found.threshold, "%"))
    heads = [
        page.text("attackers.title"),
        page.text("attackers.highest"),
        page.text("attackers.average"),
        above,
    ]
    rows = [
        [
            page.text(f"attackers.{one.name}"),
            *(
                "—" if chance is None else page.number(chance, "%")
                for chance in (one.highest, one.average, one.above_share)
            ),
        ]
        for one in found.all
    ]
    table(heads, rows, caption=page.text("attackers.title"), numeric=[1, 2, 3])
