"""The page's steps in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from microveil.reports.markup import Markup, element, together
from microveil.reports.page_parts import column_list, section, table
from microveil.reports.summary import Step
from microveil.reports.words.speaking import current_language
from microveil.reports.words.spec_words import TRUST, summary_of
from microveil.reports.words.wording import describe_value, label, percent
from microveil.texts import Message, compose
from microveil.texts.naming import method_name

WORST = 12
"""Number of trust map relations listed in the report; the figure has all of them."""
LONG = 160
"""Length in characters beyond which a parameter is folded away."""

APART = ("trust_map", "solutions")
"""Facts that have a table of their own."""


def steps_section(steps: Sequence[Step]) -> Markup:
    """Each step: what it does, to which columns, how, and what it counted."""
    if not steps:
        return section(
            Message("report.steps", "Steps"),
            element(
                "p",
                Message(
                    "report.no_step_was_applied", "No step was applied: the data are unchanged."
                ),
            ),
        )
    return section(Message("report.steps", "Steps"), step_list(steps))


def step_list(steps: Sequence[Step]) -> Markup:
    """The steps, numbered."""
    return element("ol", *[element("li", _step(step)) for step in steps], class_="steps")


def _step(step: Step) -> Markup:
    where = (
        Message("report.on_keys", "The quasi-identifiers: ")
        if step.on_keys
        else Message("report.on_columns", "Columns: ")
    )
    return together(
        element("h3", method_name(current_language(), step.method), " ", _kind(step.method)),
        element("p", summary_of(step.method, step.summary)),
        element("p", where, column_list(step.columns)) if step.columns else None,
        element(
            "p",
            Message("report.changes_values_so_they", "Changes values, so that they may be wrong."),
        )
        if step.perturbative
        else None,
        _pairs(Message("report.parameters", "Parameters"), step.parameters),
        _facts(_news(step)),
        _solutions(step),
        _trust(step),
    )


def _kind(name: str) -> Markup:
    """The name in recipes, for those who look the method up."""
    return together("(", element("code", name), ")")


def _news(step: Step) -> dict[str, Any]:
    """Facts that say more than the columns, which are already shown."""
    columns = list(step.columns)
    return {
        name: fact
        for name, fact in (step.facts or {}).items()
        if fact != columns and name not in APART
    }


def _solutions(step: Step) -> Markup | None:
    """The nodes of a search's lattice that reach the goal, best first; ``--node`` releases one."""
    facts = step.facts or {}
    found = facts.get("solutions")
    if not found:
        return None
    keys = list(found[0]["levels"])
    rows = [
        [
            Message("report.rank_released", "{rank} (released)", rank=rank)
            if rank == facts.get("node")
            else str(rank),
            *[str(one["levels"][key]) for key in keys],
            compose("{loss:.4g}", loss=one["loss"]),
            compose("{n:,}", n=one["n_suppressed"]),
        ]
        for rank, one in enumerate(found, start=1)
    ]
    heads = [
        Message("report.node", "Node"),
        *keys,
        Message("report.loss", "Loss"),
        Message("report.records_removed_2", "Records removed"),
    ]
    return together(
        element(
            "h4",
            Message("report.generalisations_reach_goal", "Generalisations that reach the goal"),
        ),
        element(
            "p",
            Message(
                "report.level_each_key_any",
                "The level of each key. Any of them can be released in place of the best.",
            ),
        ),
        table(heads, rows, numeric_from=1),
    )


def _trust(step: Step) -> Markup | None:
    """The relations of a synthetic table: the number of each kind, and those with most error."""
    trust = (step.facts or {}).get("trust_map")
    if not trust:
        return None
    counts = [
        compose("{n} {status}", n=n, status=TRUST.get(status, status))
        for status, n in trust["counts"].items()
    ]
    worst = trust["relations"][:WORST]
    rows = [
        [
            element("code", one["first"]),
            element("code", one["second"]),
            TRUST.get(one["status"], one["status"]),
            one["basis"],
            percent(one["error"]),
        ]
        for one in worst
    ]
    heads = [
        Message("report.column", "Column"),
        "with",
        Message("report.relation", "Relation"),
        Message("report.error", "Error"),
        Message("report.records_3", "% of records"),
    ]
    return together(
        element("h4", Message("report.trust_map", "Trust map")),
        element(
            "p",
            Message(
                "report.relations_two_columns_those",
                "Relations of two columns: {counts}. Those with the largest error:",
                counts=counts,
            ),
        ),
        table(heads, rows, numeric_from=4),
    )


def _facts(facts: Mapping[str, Any]) -> Markup | None:
    """Single facts in a list; facts by column in one table."""
    if not facts:
        return None
    matrices = {name: fact for name, fact in facts.items() if _of_matrices(fact)}
    facts = {name: fact for name, fact in facts.items() if name not in matrices}
    by_column = {name: fact for name, fact in facts.items() if _one_level(fact)}
    single = {name: fact for name, fact in facts.items() if name not in by_column}
    columns = dict.fromkeys(column for fact in by_column.values() for column in fact)
    rows = [
        [element("code", column), *[_at(name, fact, column) for name, fact in by_column.items()]]
        for column in columns
    ]
    heads = ["", *[label(name) for name in by_column]]
    return together(
        _pairs(Message("report.result", "Result"), single),
        table(heads, rows, numeric_from=1) if rows else None,
        *[_matrices(name, fact) for name, fact in matrices.items()],
    )


def _of_matrices(fact: Any) -> bool:
    """Whether a fact has a matrix for each column, or one for each stratum of it."""
    return isinstance(fact, dict) and any(_depth(one) > 1 for one in fact.values())


def _depth(value: Any) -> int:
    """How deeply lists are nested: 2 for a matrix."""
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list | tuple) else 0


def _matrices(name: str, fact: Mapping[str, Any]) -> Markup:
    """Each column's matrices as tables, folded away."""
    found: list[Markup] = []
    for column, value in fact.items():
        several = value if _depth(value) > 2 else [value]  # noqa: PLR2004  a matrix has two
        for number, matrix in enumerate(several, start=1):
            where = ""
            if len(several) > 1:
                where = Message("report.stratum", ", stratum {number}", number=number)
            rows = [[str(i), *map(_share, row)] for i, row in enumerate(matrix, start=1)]
            heads = [
                Message("report.category", "category"),
                *(str(i) for i in range(1, len(matrix[0]) + 1)),
            ]
            found.append(element("p", element("code", column), where))
            found.append(table(heads, rows, numeric_from=1, matrix=True))
    return element("details", element("summary", label(name)), *found)


def _share(cell: Any) -> str:
    return f"{cell:.3g}" if isinstance(cell, int | float) else str(cell)


def _one_level(fact: Any) -> bool:
    return isinstance(fact, dict) and not any(isinstance(one, dict) for one in fact.values())


def _at(name: str, fact: Mapping[str, Any], column: str) -> str:
    return describe_value(name, fact[column]) if column in fact else "–"


def _pairs(title: str, values: Mapping[str, Any] | None) -> Markup | None:
    if not values:
        return None
    pairs = [
        together(element("dt", label(name)), element("dd", _value(name, value)))
        for name, value in values.items()
    ]
    return together(element("h4", title), element("dl", *pairs, class_="pairs"))


def _value(name: str, value: Any) -> str:
    text = describe_value(name, value)
    if len(text) <= LONG:
        return text
    return element("details", element("summary", f"{text[:60]}…"), text)
