"""Roles of columns that no detector recognises: cautious, by their form, spread and values."""

from __future__ import annotations

from microveil.app.inspection.column import Column
from microveil.app.inspection.limits import (
    CATEGORIES,
    EVENLY,
    FEWEST_RECORDS,
    GAPS,
    MANY_AMOUNTS,
    MANY_TIMES,
    MOST_CODES,
    MOSTLY_DISTINCT,
    NEARLY_UNIQUE,
    SHORTEST_CODE,
    SHORTEST_GROUP,
    SHORTEST_ID,
    USUAL_AMOUNT,
    VALUES_ALONE,
    VALUES_NAMED,
)
from microveil.app.inspection.naming import Words
from microveil.app.inspection.result import Role
from microveil.texts import Message

_OTHER_UNITS = Words(
    "sec* min* hour* day* week* month* year* time* duration* dur n n_* num* count* distance* dist "
    "km miles meter* metre* kg gram* length* size* width* height* area* speed* temp* score* index "
    "ratio rate* percent* share* visits views clicks hora* tiempo* minut* zeit* dauer* время "
    "минут* час* aeg* pikkus*"
)
"""Measures that are no amounts of money, however they spread."""

_MEASURE: tuple[Role, str] = (
    "insensitive",
    Message(
        "inspect.measure_no_detector_recognises",
        "a measure that no detector recognises: check that it is harmless",
    ),
)
_FEW: tuple[Role, str] = (
    "quasi_identifier",
    Message("inspect.few_distinct_values_others", "few distinct values that others may know"),
)


def judge_unrecognised(column: Column) -> tuple[Role | None, str]:  # noqa: PLR0911  one per form
    """A cautious role for a column that no detector recognises."""
    match column.form:
        case "nested":
            return None, Message(
                "inspect.cells_hold_nested_values",
                "cells hold nested values: unfold them into columns, or drop the column",
            )
        case "binary":
            return None, Message(
                "inspect.cells_hold_binary_data",
                "cells hold binary data that cannot be inspected: drop the column",
            )
        case "empty":
            return "insensitive", "it is empty"
        case "decimal" | "duration":
            return _measure(column)
        case "whole":
            return _unrecognised_number(column)
        case "text":
            return _unrecognised_text(column)
        case "time":
            return "quasi_identifier", Message(
                "inspect.time_others_may_know", "a time that others may know"
            )
        case _:
            return _FEW


_AMOUNT: tuple[Role, str] = (
    "sensitive",
    Message(
        "inspect.amounts_spread_money_confidential",
        "amounts spread as money is: confidential unless you know better",
    ),
)


def _measure(column: Column) -> tuple[Role, str]:
    return _AMOUNT if _spread_like_money(column) else _MEASURE


def _spread_like_money(column: Column) -> bool:
    """Many different amounts, none below zero, a few of them many times the usual one."""
    numbers = column.views["number"].drop_nulls()
    if len(numbers) < MANY_AMOUNTS or _OTHER_UNITS.match(*column.names):
        return False
    low, middle, high = (float(numbers.quantile(at) or 0) for at in (0.01, 0.5, 0.99))
    return low >= 0 and middle >= USUAL_AMOUNT and high >= MANY_TIMES * middle


def _unrecognised_number(column: Column) -> tuple[Role, str]:
    if mostly_labelled(column):
        return "quasi_identifier", Message(
            "inspect.codes_labels_which_others", "codes with labels, which others may know"
        )
    if _few_values(column):
        return _FEW
    if _codes_of_one_length(column):
        return "quasi_identifier", Message(
            "inspect.numbers_one_length_many",
            "numbers of one length that many records share: likely codes",
        )
    if looks_assigned(column):
        return "identifier", Message(
            "inspect.numbers_one_length_own",
            "whole numbers of one length, nearly every record its own: likely ids",
        )
    if _dealt_out_evenly(column):
        return "identifier", Message(
            "inspect.numbers_dealt_evenly",
            "whole numbers of one length, each in equally many records: likely ids of groups",
        )
    return _measure(column)


def _dealt_out_evenly(column: Column) -> bool:
    """Numbers given to groups of equal size: no measure repeats all its values equally often."""
    counts = column.series.drop_nulls().unique_counts()
    lengths = column.views["text"].drop_nulls().str.len_chars()
    if len(counts) <= CATEGORIES or lengths.n_unique() != 1 or int(lengths[0]) < SHORTEST_GROUP:
        return False
    usual = int(counts.median() or 0)  # type: ignore[arg-type]  # a number
    return usual > 1 and (counts == usual).sum() >= EVENLY * len(counts)


def looks_assigned(column: Column) -> bool:
    """Whole numbers that look given out rather than measured: long, of one length, all different.

    A few may occur twice, as where a record was entered again.
    """
    counts = column.counts
    if counts.n_records < FEWEST_RECORDS or counts.filled_distinction < NEARLY_UNIQUE:
        return False
    lengths = column.views["text"].drop_nulls().str.len_chars()
    return lengths.n_unique() == 1 and int(lengths[0]) >= SHORTEST_ID


def mostly_labelled(column: Column) -> bool:
    """Whether the file says what most of the column's numbers mean."""
    if not column.value_labels or column.form not in ("whole", "decimal"):
        return False
    known = {float(code) for code in column.value_labels if not isinstance(code, str)}
    values = column.views["number"].drop_nulls().to_list()
    return sum(value in known for value in values) >= VALUES_NAMED * max(len(values), 1)


def _codes_of_one_length(column: Column) -> bool:
    """Codes of areas, trades and the like: of one length, with gaps, each in many records."""
    counts, numbers = column.counts, column.views["number"].drop_nulls()
    if not len(numbers) or counts.filled_distinction > MOST_CODES:
        return False
    lengths = column.views["text"].drop_nulls().str.len_chars()
    low, high = float(numbers.min() or 0), float(numbers.max() or 0)  # type: ignore[arg-type]
    gaps = high - low + 1 > GAPS * len(numbers)
    return lengths.n_unique() == 1 and int(lengths[0]) >= SHORTEST_CODE and gaps


def _few_values(column: Column) -> bool:
    counts = column.counts
    return counts.n_distinct <= CATEGORIES and counts.filled_distinction <= MOSTLY_DISTINCT


def _unrecognised_text(column: Column) -> tuple[Role, str]:
    counts = column.counts
    if counts.n_records < FEWEST_RECORDS:
        return _FEW
    if _reads_as_numbers(column) and not _has_leading_zeros(column):
        if looks_assigned(column):
            return "identifier", Message(
                "inspect.numbers_one_length_own",
                "whole numbers of one length, nearly every record its own: likely ids",
            )
        return _FEW if _few_values(column) else _MEASURE
    if counts.filled_distinction >= NEARLY_UNIQUE:
        return "identifier", Message(
            "inspect.nearly_every_record_own", "nearly every record has its own text"
        )
    if counts.n_distinct <= CATEGORIES:
        return _FEW
    return "quasi_identifier", Message(
        "inspect.categories_others_may_know", "categories that others may know"
    )


def _has_leading_zeros(column: Column) -> bool:
    """Digits kept as text because of leading zeros are codes, whatever they count."""
    return bool(column.views["text"].str.contains(r"^0\d+$").any())


def _reads_as_numbers(column: Column) -> bool:
    numbers = column.views["number"]
    return numbers.len() > 0 and 1 - numbers.null_count() / numbers.len() >= VALUES_ALONE
