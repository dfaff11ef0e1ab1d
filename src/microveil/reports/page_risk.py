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
from microveil.reports.words.speaking import say
from microveil.reports.words.spec_words import LEVELS, QUESTIONS
from microveil.reports.words.wording import number, percent
from microveil.texts import Message, compose

COUNTS = {
    "k": Message("report.smallest_class", "Smallest class (k)"),
    "acceptable_k": Message("report.acceptable_size", "Acceptable k for this size"),
    "n_classes": Message("report.classes", "Classes"),
}
PEOPLE = {
    "n_people": Message("report.people", "People, whom classes and k count"),
    "n_unique_people": Message("report.unique_people", "Unique people"),
}
"""Shown where class sizes count people."""
COUNTS_OF_RECORDS = {
    "n_below_acceptable": Message("report.records_below_acceptable", "Records below acceptable k"),
    "n_unique": Message("report.unique_records", "Unique records"),
    "n_all_missing": Message("report.records_no_key_left", "Records with no key left"),
}
SHARES = {
    "highest_risk": Message("report.highest_risk_record", "Highest risk of a record (1/k)"),
    "average_risk": Message("report.average_risk", "Average risk"),
}


DISCLOSURE_RISK = Message("report.disclosure_risk", "Disclosure risk")
NO_KEYS = Message(
    "report.no_classes", "No quasi-identifiers are named, so there are no classes to count."
)
NOT_EVIDENCE = Message("report.valid_evidence", "Not valid evidence")
VALUES_CHANGED = Message(
    "report.class_sizes_say_little",
    "Values were changed, so class sizes after the steps say little about risk.",
)
BY_CLASSES = Message("report.by_classes", "By class sizes, for an intruder who knows ")
IN_THE_RELEASE = Message("report.smallest_classes_release", "Smallest classes of the release")
IN_THE_ORIGINAL = Message("report.smallest_classes_original", "Smallest classes of the original")


def risk_section(summary: Summary, figures: Sequence[Figure]) -> Markup | None:
    """Risk before and after; nothing for the public."""
    if summary.risk is None:
        return None
    if not summary.risk:
        found = [*_verdicts(summary.risk_verdicts), *_further(summary)]
        left_out = not_taken(summary.risk_not_taken)
        return section(DISCLOSURE_RISK, element("p", NO_KEYS), *found, left_out)
    doubt = None
    if not summary.class_sizes_valid:
        doubt = element("p", note(NOT_EVIDENCE, VALUES_CHANGED), class_="caution")
    main, *scenarios = summary.risk
    named = ""
    if main.scenario is not None:
        named = Message("report.in_scenario", " (scenario {name})", name=main.scenario)
    return section(
        DISCLOSURE_RISK,
        element(
            "p",
            BY_CLASSES,
            column_list(main.quasi_identifiers),
            named,
        ),
        doubt,
        *_verdicts(summary.risk_verdicts),
        side_by_side(_numbers(main), figure_row(figures[:1])),
        figure_row(figures[1:]),
        _worst(IN_THE_RELEASE, main.after),
        _worst(IN_THE_ORIGINAL, main.before),
        *[_scenario(one) for one in scenarios],
        *_further(summary),
        not_taken(summary.risk_not_taken),
    )


def _verdicts(verdicts: Sequence[Mapping[str, Any]] | None) -> list[Markup]:
    """The verdict on each of the three questions."""
    if not verdicts:
        return []
    rows = [
        [
            _capital(QUESTIONS[one["question"]]),
            element("strong", LEVELS[one["level"]]),
            one["sentence"],
        ]
        for one in verdicts
    ]
    return [
        table(
            [
                Message("report.question", "Question"),
                Message("report.risk", "Risk"),
                Message("report.why", "Why"),
            ],
            rows,
        )
    ]


def _further(summary: Summary) -> list[Markup]:
    """Measures beyond class sizes, by the question they answer."""
    scores = summary.risk_scores or {}
    pairs = {name: (one["after"], one.get("before")) for name, one in scores.items()}
    return measures_by_question(pairs, before=any(before for _, before in pairs.values()))


def _scenario(risk: Risk) -> Markup:
    return together(
        element("h3", Message("report.scenario_head", "Scenario {name}", name=risk.scenario)),
        element(
            "p",
            Message("report.intruder_knows", "The intruder knows "),
            column_list(risk.quasi_identifiers),
        ),
        _numbers(risk),
        _worst(
            Message("report.smallest_classes_release", "Smallest classes of the release"),
            risk.after,
        ),
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
        gone = element(
            "p",
            Message(
                "report.no_quasi_identifier_left", "No quasi-identifier is left in the release."
            ),
        )
    return together(
        table(
            ["", Message("report.original", "Original"), Message("report.release", "Release")],
            rows,
            numeric_from=1,
        ),
        gone,
    )


def _count(side: Mapping[str, Any] | None, name: str) -> str:
    return "–" if side is None or side.get(name) is None else number(side[name])


def _records(side: Mapping[str, Any] | None, name: str) -> str:
    if side is None:
        return "–"
    if not side["n_records"] or not side[name]:
        return number(side[name])
    share = percent(side[name] / side["n_records"])
    return compose("{n} ({share})", n=number(side[name]), share=share)


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
    return together(
        element("h3", title),
        table([Message("report.class", "Class of"), Message("report.share", "Share"), *keys], rows),
    )


def _size(size: float, counts: str) -> str:
    if counts == "people":
        return Message(
            "report.some_people", "1 person", many="{people} people", n=size, people=number(size)
        )
    return Message(
        "report.some_records",
        "1 record",
        many="{records} records",
        n=size,
        records=number(size),
    )


def _capital(told: str) -> str:
    words = say(told)
    return words[:1].upper() + words[1:]


def _cell(value: Any) -> str:
    return element("em", Message("report.missing", "missing")) if value is None else str(value)
