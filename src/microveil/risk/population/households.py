"""From the risks of rows to those of people and households."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from microveil.tables.codes import encode

if TYPE_CHECKING:
    from microveil.arrays import Floats, Longs
    from microveil.tables import Table

SPARSE = 8
"""Codes with more gaps than this per record are sorted rather than counted in an array."""


def person_risks(records: Floats, people: Longs) -> tuple[Floats, Longs]:
    """The risk of each person, the largest over their rows, and ones."""
    n_people = int(people.max(initial=-1)) + 1
    risks = np.zeros(n_people)
    np.maximum.at(risks, people, records)
    return risks, np.ones(n_people, dtype=np.int64)


def household_risks(records: Floats, table: Table) -> dict[str, Any]:
    """Risk that at least one member of a household is found: 1 − ∏(1 − r) over its members.

    Sums and means over the records, each with its household's risk (as in sdcMicro), and over the
    households. A record without a household is a household of its own; a person's rows count once.
    """
    of_record = _household_of(table)
    risks = _at_least_one(records, of_record, table)
    spread = risks[of_record]
    n_records, n_households = len(records), len(risks)
    total = float(spread.sum())
    return {
        "n_households": n_households,
        "household_global_risk": total / n_records if n_records else 0.0,
        "household_expected_reidentifications": total,
        "household_expected_found": float(risks.sum()),
        "household_highest_risk": float(risks.max(initial=0.0)),
    }


def record_household_risks(records: Floats, table: Table) -> Floats:
    """The risk of each record's household."""
    of_record = _household_of(table)
    return _at_least_one(records, of_record, table)[of_record]


def _household_of(table: Table) -> Longs:
    """Number of each record's household, from 0 without gaps."""
    column = table.frame[str(table.roles.household)]
    codes = encode(column)
    values, n_lone = codes.values, column.null_count()
    if n_lone:
        values = values.copy()
        values[column.is_null().to_numpy()] = codes.radix + np.arange(n_lone)
    return _without_gaps(values, codes.radix + n_lone)


def _without_gaps(codes: Longs, radix: int) -> Longs:
    """The codes renumbered from 0 without gaps."""
    if radix > SPARSE * len(codes) + SPARSE:
        return np.unique(codes, return_inverse=True)[1]
    occurs = np.zeros(radix, dtype=np.bool_)
    occurs[codes] = True
    return (np.cumsum(occurs) - 1)[codes]


def _at_least_one(records: Floats, of_record: Longs, table: Table) -> Floats:
    n_households = int(of_record.max()) + 1 if len(of_record) else 0
    people = table.people
    if people is not None:
        radix = int(people.max(initial=0)) + 1
        pairs, place = np.unique(of_record * radix + people, return_inverse=True)
        risks = np.zeros(len(pairs))
        np.maximum.at(risks, place, records)
        records, of_record = risks, pairs // radix
    with np.errstate(divide="ignore"):  # log 0 = −∞ is correct for a certain match
        logs = np.log1p(-np.minimum(records, 1.0))
    return -np.expm1(np.bincount(of_record, weights=logs, minlength=n_households))
