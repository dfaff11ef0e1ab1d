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
)
from microveil.app.inspection.naming import words_of
from microveil.app.inspection.result import Caution
from microveil.app.inspection.suggestion import Suggestion
from microveil.methods import Pseudonymize
from microveil.texts import Message


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
        text = Message(
            "inspect.only_records_suggestions_rely",
            "Only {n} records: the suggestions rely on names more than on counts.",
            n=n_records,
        )
        yield Caution("few_records", (), text)
    if names and all(words_of(name).replace("_", "").isdigit() for name in names):
        text = Message(
            "inspect.every_column_name_number",
            "Every column name is a number: the first row may be data, not names.",
        )
        yield Caution("header", names, text)
    keys = tuple(found.name for found in suggestions if found.role == "quasi_identifier")
    if len(keys) > MANY_KEYS:
        text = Message(
            "inspect.quasi_identifiers_keep_those",
            "{n} quasi-identifiers: keep those an intruder can know, or split them into "
            "scenarios; k-anonymity over so many at once costs most of the data.",
            n=len(keys),
        )
        yield Caution("many_keys", keys, text)


def _about_column(found: Suggestion) -> Iterator[Caution]:
    column, name = found.column, found.name
    of_one = (name,)
    if column.form in ("nested", "binary"):
        yield Caution(
            column.form,
            of_one,
            Message(
                "inspect.column_no_role",
                "Column '{name}' has no role: {reason}.",
                name=name,
                reason=found.reasons[0],
            ),
        )
    if found.kind == "free_text":
        text = Message(
            "inspect.column_holds_free_text",
            "Column '{name}' holds free text, which may name anybody: drop it or review it.",
            name=name,
        )
        yield Caution("free_text", of_one, text)
    if found.kind == "weight":
        yield _about_weight(found)
    if found.role == "strata":
        text = Message(
            "inspect.strata_may_reveal_area",
            "Strata in '{name}' may reveal the area: publish them coarsened or not at all.",
            name=name,
        )
        yield Caution("strata", of_one, text)
    if found.role == "household":
        text = Message(
            "inspect.households_can_counted_their",
            "Households in '{name}' can be counted: their size is a quasi-identifier too, "
            "and an intruder who finds one member finds all. Leave the id out, or pseudonymize it "
            "if members must stay linked.",
            name=name,
        )
        yield Caution("household", of_one, text, Pseudonymize(columns=of_one))
    yield from _about_rows_and_codes(found)
    yield from _about_mail_inside(found)


def _about_rows_and_codes(found: Suggestion) -> Iterator[Caution]:
    counts, name = found.column.counts, found.name
    of_one = (name,)
    if found.role == "entity":
        text = Message(
            "inspect.several_rows_per_classes",
            "Several rows per '{name}': classes count its {n} ids, and the rows of one id "
            "together reveal more than each alone. Leave the id out, or pseudonymize it if rows "
            "must stay linked.",
            name=name,
            n=counts.n_distinct,
        )
        yield Caution("entity", of_one, text, Pseudonymize(columns=of_one))
    if _is_risky(found):
        text = Message(
            "inspect.quasi_identifier_alone_singles",
            "Quasi-identifier '{name}' alone singles out {share:%} of the records: coarsen "
            "it first.",
            name=name,
            share=counts.uniqueness,
        )
        yield Caution("high_cardinality", of_one, text)
    if _is_numeric_code(found):
        text = Message(
            "inspect.column_holds_numbers_codes",
            "Column '{name}' holds numbers that are codes: leading zeros may be lost, and "
            "rounding, noise or averages make no sense.",
            name=name,
        )
        yield Caution("numeric_code", of_one, text)


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
        text = Message(
            "inspect.column_looks_like_second",
            "Column '{name}' looks like a second weight: it has no role, drop it or decide.",
            name=name,
        )
        return Caution("weight", (name,), text)
    if n_values <= 1:
        text = Message(
            "inspect.weight_same_every_record",
            "The weight '{name}' is the same in every record: it reveals nothing about areas.",
            name=name,
        )
    elif found.column.counts.filled_distinction >= NEARLY_UNIQUE:
        text = Message(
            "inspect.weights_differ_nearly_every",
            "Weights in '{name}' differ in nearly every record; one identifies it. Round them.",
            name=name,
        )
    else:
        text = Message(
            "inspect.weights_distinct_may_reveal",
            "Weights in '{name}' ({n} distinct) may reveal the area or stratum: records "
            "with equal weights were often drawn together.",
            name=name,
            n=n_values,
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
        sentence = Message(
            "inspect.values_examined_contain_mail",
            "{share:%} of the values examined in '{name}' contain an e-mail address.",
            share=share,
            name=found.name,
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
        text = Message(
            "inspect.same_every_record_so",
            "The same in every record, so of no use: {names:quoted}.",
            names=constant,
        )
        yield Caution("constant", constant, text)
    ids = tuple(found.name for found in suggestions if _is_numeric_id(found))
    if ids:
        text = Message(
            "inspect.whole_numbers_equal_length",
            "Whole numbers of equal length, one per record, are taken for ids: {names:quoted}. If "
            "they measure something, give them another role.",
            names=ids,
        )
        yield Caution("numeric_id", ids, text)
    exact = tuple(
        found.name for found in suggestions if _is_exact_measure(found) and found.name not in ids
    )
    if exact:
        text = Message(
            "inspect.measures_unique_nearly_every",
            "Measures that are unique in nearly every record: {names:quoted}. An intruder "
            "who knows one exactly finds the record; round or perturb them.",
            names=exact,
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
    assigned = found.column.counts.filled_distinction >= NEARLY_UNIQUE
    unclear = found.kind is None and found.column.form == "whole"
    return unclear and assigned and found.role == "identifier"


def _about_pair(pair: Dependency) -> Caution:
    both = (pair.by, pair.determined)
    if pair.mutual:
        text = Message(
            "inspect.hold_same_information_protect",
            "'{one}' and '{other}' hold the same information: protect both alike, or drop one.",
            one=pair.by,
            other=pair.determined,
        )
    else:
        text = Message(
            "inspect.follows_from_coarsening_only",
            "'{one}' follows from '{other}': coarsening only one of them can be undone "
            "with the other.",
            one=pair.determined,
            other=pair.by,
        )
    return Caution("dependency", both, text)
