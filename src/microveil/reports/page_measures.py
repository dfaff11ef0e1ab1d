"""Measures on the page, by the question they answer; minor ones are folded away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from microveil.reports.markup import Markup, element, together
from microveil.reports.page_parts import meaning_words, score_words, table
from microveil.reports.words.speaking import current_language
from microveil.reports.words.spec_words import QUESTIONS, title_of
from microveil.reports.words.wording import number
from microveil.texts import Message
from microveil.texts.naming import fact

Told = tuple[Mapping[str, Any], Mapping[str, Any] | None]
"""A described score of the release, and the original's where there is one."""
IN_THE_MATRIX = ("mse",)
"""Scales whose one number is in squared units of several columns: the matrix has the rest."""


def measures_by_question(scores: Mapping[str, Told], *, before: bool = False) -> list[Markup]:
    """One table for each question; minor measures are folded away below it."""
    questions = dict.fromkeys(told["question"] for told, _ in scores.values())
    return [
        _question(
            question,
            {n: s for n, s in scores.items() if s[0]["question"] == question},
            before=before,
        )
        for question in questions
    ]


def _question(question: str, scores: Mapping[str, Told], *, before: bool) -> Markup:
    first = {name: one for name, one in scores.items() if one[0]["headline"]}
    first = first or dict(list(scores.items())[:1])
    tail = {name: one for name, one in scores.items() if name not in first}
    more = None
    if tail:
        words = Message(
            "report.further",
            "1 further measure",
            many="{n} further measures",
            n=len(tail),
        )
        more = element(
            "details", element("summary", words), _scores(tail, before=before), *_matrices(tail)
        )
    return together(
        element("h3", QUESTIONS.get(question, question)),
        _scores(first, before=before),
        *_matrices(first),
        more,
    )


def _scores(scores: Mapping[str, Told], *, before: bool) -> Markup:
    sides = (
        [Message("report.original", "Original"), Message("report.release", "Release")]
        if before
        else [Message("report.value", "Value")]
    )
    heads = [
        Message("report.measure", "Measure"),
        *sides,
        Message("report.what_says", "What it says"),
    ]
    rows = [
        [
            together(element("strong", title_of(told)), element("small", name, class_="meaning")),
            *([score_words(original)] if before else []),
            _value(told),
            meaning_words(told),
        ]
        for name, (told, original) in scores.items()
    ]
    return table(heads, rows)


def _value(told: Mapping[str, Any]) -> str:
    return (
        Message("report.see_below", "see below")
        if told["scale"] in IN_THE_MATRIX and _matrix(told)
        else score_words(told)
    )


def _matrices(scores: Mapping[str, Told]) -> list[Markup]:
    drawn = [(told, _matrix(told)) for told, _ in scores.values()]
    return [
        together(element("h4", title_of(told)), _draw_matrix(*found))
        for told, found in drawn
        if found
    ]


def _draw_matrix(rows: Sequence[str], columns: Sequence[str], cells: Mapping[str, float]) -> Markup:
    lines = [
        [fact(current_language(), row), *[number(cells[f"{row}_{column}"]) for column in columns]]
        for row in rows
    ]
    return table(["", *columns], lines, numeric_from=1, matrix=True)


def _matrix(
    told: Mapping[str, Any],
) -> tuple[list[str], list[str], Mapping[str, float]] | None:
    """Parts that are named row_column, as a matrix; None if they are not.

    >>> _matrix({"parts": {"a_x": 1, "a_y": 2, "b_x": 3, "b_y": 4}})[:2]
    (['a', 'b'], ['x', 'y'])
    """
    parts = told.get("parts", {})
    if not all(
        isinstance(one, int | float) and name.count("_") == 1 for name, one in parts.items()
    ):
        return None
    pairs = [tuple(name.split("_")) for name in parts]
    rows = list(dict.fromkeys(row for row, _ in pairs))
    columns = list(dict.fromkeys(column for _, column in pairs))
    full = len(pairs) == len(rows) * len(columns) and min(len(rows), len(columns)) > 1
    return (rows, columns, parts) if full else None
