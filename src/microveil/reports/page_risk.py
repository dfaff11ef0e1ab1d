"""The page's risk section, for internal readers only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from microveil.reports.figure import Figure
from microveil.reports.markup import Markup, element, together
from microveil.reports.page_measures import measures_by_question
from microveil.reports.page_parts import (
    column_list,
    figure_row,
    not_taken,
    note,
    section,
    side_by_side,
    table,
)
from microveil.reports.summary import Risk, Summary
from microveil.reports.wording import number, percent

COUNTS = {
    "k": "Smallest class (k)",
    "acceptable_k": "Acceptable k for this size",
    "n_classes": "Classes",
}
PEOPLE = {"n_people": "People, whom classes and k count", "n_unique_people": "Unique people"}
"""Shown where class sizes count people."""
COUNTS_OF_RECORDS = {
    "n_below_acceptable": "Records below acceptable k",
    "n_unique": "Unique records",
    "n_all_missing": "Records with no key left",
}
SHARES = {"highest_risk": "Highest risk of a record (1/k)", "average_risk": "Average risk"}


def risk_section(summary: Summary, figures: Sequence[Figure]) -> Markup | None:
    """Risk before and after; nothing for the public."""
    if summary.risk is None:
        return None
    if not summary.risk:
        text = "No quasi-identifiers are named, so there are no classes to count."
        found = [*_verdicts(summary.risk_verdicts), *_further(summary)]
        left_out = not_taken(summary.risk_not_taken)
        return section("Disclosure risk", element("p", text), *found, left_out)
    doubt = None
    if not summary.class_sizes_valid:
        text = "Values were changed, so class sizes after the steps say little about risk."
        doubt = element("p", note("Not valid evidence", text), class_="caution")
    main, *scenarios = summary.risk
    named = "" if main.scenario is None else f" (scenario {main.scenario})"
    return section(
        "Disclosure risk",
        element(
            "p",
            "By class sizes, for an intruder who knows ",
            column_list(main.quasi_identifiers),
            named,
        ),
        doubt,
        *_verdicts(summary.risk_verdicts),
        side_by_side(_numbers(main), figure_row(figures[:1])),
        figure_row(figures[1:]),
        _worst("Smallest classes of the release", main.after),
        _worst("Smallest classes of the original", main.before),
        *[_scenario(one) for one in scenarios],
        *_further(summary),
        not_taken(summary.risk_not_taken),
    )


def _verdicts(verdicts: Sequence[Mapping[str, Any]] | None) -> list[Markup]:
    """The verdict on each of the three questions."""
    if not verdicts:
        return []
    rows = [
        [one["question"].capitalize(), element("strong", one["level"]), one["sentence"]]
        for one in verdicts
    ]
    return [table(["Question", "Risk", "Why"], rows)]


def _further(summary: Summary) -> list[Markup]:
    """Measures beyond class sizes, by the question they answer."""
    scores = summary.risk_scores or {}
    pairs = {name: (one["after"], one.get("before")) for name, one in scores.items()}
    return measures_by_question(pairs, before=any(before for _, before in pairs.values()))


def _scenario(risk: Risk) -> Markup:
    return together(
        element("h3", f"Scenario {risk.scenario}"),
        element("p", "The intruder knows ", column_list(risk.quasi_identifiers)),
        _numbers(risk),
        _worst("Smallest classes of the release", risk.after),
    )


def _numbers(risk: Risk) -> Markup:
    sides = [risk.before, risk.after]
    rows = [[words, *[_count(side, name) for side in sides]] for name, words in COUNTS.items()]
    if any(side is not None and side.get("n_people") is not None for side in sides):
        rows += [[words, *[_count(side, name) for side in sides]] for name, words in PEOPLE.items()]
    rows += [
        [words, *[_records(side, name) for side in sides]]
        for name, words in COUNTS_OF_RECORDS.items()
    ]
    rows += [[words, *[_share(side, name) for side in sides]] for name, words in SHARES.items()]
    gone = None
    if risk.after is None:
        gone = element("p", "No quasi-identifier is left in the release.")
    return together(table(["", "Original", "Release"], rows, numeric_from=1), gone)


def _count(side: Mapping[str, Any] | None, name: str) -> str:
    return "–" if side is None or side.get(name) is None else number(side[name])


def _records(side: Mapping[str, Any] | None, name: str) -> str:
    if side is None:
        return "–"
    if not side["n_records"] or not side[name]:
        return number(side[name])
    return f"{number(side[name])} ({percent(side[name] / side['n_records'])})"


def _share(side: Mapping[str, Any] | None, name: str) -> str:
    return "–" if side is None else percent(side[name])


def _worst(title: str, side: Mapping[str, Any] | None) -> Markup | None:
    """The smallest classes with their keys: confidential."""
    if side is None or not side["worst"]:
        return None
    keys = list(side["worst"][0]["values"])
    rows = [
        [
            _size(one["size"], side["counts"]),
            percent(one["share"]),
            *[_cell(one["values"][key]) for key in keys],
        ]
        for one in side["worst"]
    ]
    return together(element("h3", title), table(["Class of", "Share", *keys], rows))


def _size(size: float, counts: str) -> str:
    one = "person" if counts == "people" else "record"
    return f"1 {one}" if size == 1 else f"{number(size)} {counts}"


def _cell(value: Any) -> str:
    return element("em", "missing") if value is None else str(value)
