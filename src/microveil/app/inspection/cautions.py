"""Cautions: what to consider before adopting the suggested roles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from microveil.app.inspection.dependencies import Dependency
from microveil.app.inspection.detectors.contacts import MAIL_INSIDE
from microveil.app.inspection.dirt import dirt
from microveil.app.inspection.limits import (
    FEWEST_RECORDS,
    MANY_KEYS,
    NEARLY_UNIQUE,
    RISKY_UNIQUENESS,
    SHORTEST_ID,
)
from microveil.app.inspection.naming import words_of
from microveil.app.inspection.result import Caution
from microveil.app.inspection.suggestion import Suggestion
from microveil.app.inspection.wording import percent
from microveil.errors import quoted


def cautions(
    suggestions: Sequence[Suggestion], dependent: Sequence[Dependency], n_records: int
) -> tuple[Caution, ...]:
    """Every caution, those about the table first, then by column."""
    found = [*_about_table(suggestions, n_records)]
    for suggestion in suggestions:
        found += _about_column(suggestion)
    found += dirt(suggestions)
    return (*found, *_about_groups(suggestions), *(_about_pair(pair) for pair in dependent))


def _about_table(suggestions: Sequence[Suggestion], n_records: int) -> Iterator[Caution]:
    names = tuple(found.name for found in suggestions)
    if n_records < FEWEST_RECORDS:
        text = f"Only {n_records} records: the suggestions rely on names more than on counts."
        yield Caution("few_records", (), text)
    if names and all(words_of(name).replace("_", "").isdigit() for name in names):
        text = "Every column name is a number: the first row may be data, not names."
        yield Caution("header", names, text)
    keys = tuple(found.name for found in suggestions if found.role == "quasi_identifier")
    if len(keys) > MANY_KEYS:
        text = (
            f"{len(keys)} quasi-identifiers: keep those an intruder can know, or split them into "
            "scenarios; k-anonymity over so many at once costs most of the data."
        )
        yield Caution("many_keys", keys, text)


def _about_column(found: Suggestion) -> Iterator[Caution]:
    column, counts, name = found.column, found.column.counts, found.name
    of_one = (name,)
    if column.form in ("nested", "binary"):
        yield Caution(column.form, of_one, f"Column '{name}' has no role: {found.reasons[0]}.")
    if found.kind == "free_text":
        text = f"Column '{name}' holds free text, which may name anybody: drop it or review it."
        yield Caution("free_text", of_one, text)
    if found.kind == "weight":
        yield _about_weight(found)
    if found.role == "strata":
        text = f"Strata in '{name}' may reveal the area: publish them coarsened or not at all."
        yield Caution("strata", of_one, text)
    if found.role == "household":
        text = (
            f"Households in '{name}' can be counted: their size is a quasi-identifier too, and "
            "an intruder who finds one member finds all."
        )
        yield Caution("household", of_one, text)
    if found.role == "entity":
        text = (
            f"Several rows per '{name}': classes count its {counts.n_distinct} ids, and the rows "
            "of one id together reveal more than each alone. Pseudonymize the id."
        )
        yield Caution("entity", of_one, text)
    if _is_risky(found):
        text = (
            f"Quasi-identifier '{name}' alone singles out {percent(counts.uniqueness)} of the "
            "records: coarsen it first."
        )
        yield Caution("high_cardinality", of_one, text)
    if _is_numeric_code(found):
        text = (
            f"Column '{name}' holds numbers that are codes: leading zeros may be lost, and "
            "rounding, noise or averages make no sense."
        )
        yield Caution("numeric_code", of_one, text)
    yield from _about_mail_inside(found)


def _is_risky(found: Suggestion) -> bool:
    counts = found.column.counts
    return (
        found.role == "quasi_identifier"
        and counts.n_records >= FEWEST_RECORDS
        and counts.uniqueness >= RISKY_UNIQUENESS
    )


def _about_weight(found: Suggestion) -> Caution:
    name, n_values = found.name, found.column.counts.n_distinct
    if found.role is None:
        text = f"Column '{name}' looks like a second weight: it has no role, drop it or decide."
        return Caution("weight", (name,), text)
    if n_values <= 1:
        text = f"The weight '{name}' is the same in every record: it reveals nothing about areas."
    elif found.column.counts.filled_distinction >= NEARLY_UNIQUE:
        text = f"Weights in '{name}' differ in nearly every record; one identifies it. Round them."
    else:
        text = (
            f"Weights in '{name}' ({n_values} distinct) may reveal the area or stratum: records "
            "with equal weights were often drawn together."
        )
    return Caution("weight", (name,), text)


def _is_numeric_code(found: Suggestion) -> bool:
    if found.column.form != "whole" or found.kind == "row_number":
        return False
    return found.role in ("identifier", "entity") or found.kind == "postcode"


def _about_mail_inside(found: Suggestion) -> Iterator[Caution]:
    if found.column.form != "text" or found.kind == "email":
        return
    text = found.column.views["text"]
    share = int(text.str.contains(MAIL_INSIDE).sum()) / max(len(text), 1)
    if share:
        sentence = (
            f"{percent(share)} of the values examined in '{found.name}' contain an e-mail address."
        )
        yield Caution("email_inside", (found.name,), sentence)


def _about_groups(suggestions: Sequence[Suggestion]) -> Iterator[Caution]:
    """Columns with the same caution, in one sentence."""
    constant = tuple(
        found.name
        for found in suggestions
        if found.role == "insensitive" and found.column.counts.constant
    )
    if constant:
        text = f"The same in every record, so of no use: {quoted(constant)}."
        yield Caution("constant", constant, text)
    ids = tuple(found.name for found in suggestions if _is_numeric_id(found))
    if ids:
        text = (
            f"Whole numbers of equal length, one per record, may be ids: {quoted(ids)}. If they "
            "are, make them identifiers."
        )
        yield Caution("numeric_id", ids, text)
    exact = tuple(
        found.name for found in suggestions if _is_exact_measure(found) and found.name not in ids
    )
    if exact:
        text = (
            f"Measures that are unique in nearly every record: {quoted(exact)}. An intruder "
            "who knows one exactly finds the record; round or perturb them."
        )
        yield Caution("exact_measure", exact, text)


def _is_exact_measure(found: Suggestion) -> bool:
    counts = found.column.counts
    return (
        counts.n_records >= FEWEST_RECORDS
        and found.role in ("insensitive", "sensitive")
        and found.column.form in ("whole", "decimal", "duration")
        and counts.filled_distinction >= NEARLY_UNIQUE
    )


def _is_numeric_id(found: Suggestion) -> bool:
    """Unrecognised whole numbers that look assigned rather than measured."""
    if found.kind is not None or found.column.form != "whole" or not _is_exact_measure(found):
        return False
    lengths = found.column.views["text"].str.len_chars()
    return lengths.n_unique() == 1 and int(lengths[0]) >= SHORTEST_ID


def _about_pair(pair: Dependency) -> Caution:
    both = (pair.by, pair.determined)
    if pair.mutual:
        text = (
            f"'{pair.by}' and '{pair.determined}' hold the same information: protect both "
            "alike, or drop one."
        )
    else:
        text = (
            f"'{pair.determined}' follows from '{pair.by}': coarsening only one of them can be "
            "undone with the other."
        )
    return Caution("dependency", both, text)
