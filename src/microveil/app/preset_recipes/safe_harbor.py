"""HIPAA Safe Harbor: the eighteen identifiers of 45 CFR 164.514(b)(2), removed or coarsened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, get_args

import polars as pl

from microveil.app.inspection import Inspection, inspect
from microveil.app.inspection.result import ColumnProfile
from microveil.errors import InputError, did_you_mean
from microveil.files.columns.cell_content import CONTACTS, tells_date
from microveil.files.columns.finding_dates import find_dates
from microveil.methods import Drop, Generalize, Method, TopBottomCode
from microveil.recipes import Recipe
from microveil.risk.safe_harbor import OLDEST, SMALL_ZIPS, SafeHarbor
from microveil.tables.roles import check_columns

Treatment = Literal["drop", "zip", "date", "birth", "age", "keep"]
TREATMENTS: tuple[Treatment, ...] = get_args(Treatment)

EARLIEST_YEAR = 1850
"""Earliest year of birth to expect."""

IDENTIFIERS: Mapping[str, tuple[str, ...]] = {
    "A names": ("person_name",),
    "B places smaller than a state": (
        "address", "place", "latitude", "longitude", "coordinates",
    ),
    "C dates": ("date_part",),
    "D, E phone and fax numbers": ("phone",),
    "F email addresses": ("email",),
    "G–K, P numbers of persons, accounts and documents": (
        "document_number", "iban", "payment_card", "person_id",
    ),
    "L, M vehicles and devices": ("mac_address",),
    "N web addresses": ("url",),
    "O IP addresses": ("ip_address",),
    "Q, R anything else that is unique": (
        "record_id", "random_id", "row_number", "household_id", "group_id", "free_text",
    ),
}  # fmt: skip
"""What is dropped, by the rule's letters, as kinds recognised by an inspection."""

_DROPPED = frozenset(kind for kinds in IDENTIFIERS.values() for kind in kinds)
_TREATED: Mapping[str, Treatment] = {
    "postcode": "zip",
    "date": "date",
    "timestamp": "date",
    "birth_date": "birth",
    "birth_year": "birth",
    "age": "age",
}


_PROBLEMS = {
    "C dates": "tells more of a date than the year.",
    "C ages above 89": f"tells ages above {OLDEST}.",
    "C years of birth of people above 89": f"tells years of birth of people above {OLDEST}.",
    "B places smaller than a state": (
        "tells more than three digits of ZIP codes, or three of areas with 20,000 people or fewer."
    ),
}
_LEADS = "holds{}, which lead to people: leave it out."


@dataclass(frozen=True, eq=False)
class _Plan:
    """The treatment of each column, and the year as of which ages are computed."""

    frame: pl.DataFrame
    looked: Inspection
    treatments: Mapping[str, Treatment]
    year: int


def safe_harbor(
    frame: pl.DataFrame,
    *,
    columns: Mapping[Treatment, Sequence[str]] | None = None,
    year: int | None = None,
) -> Recipe:
    """A recipe that follows HIPAA Safe Harbor.

    Names, addresses, numbers and codes of people are dropped; ZIP codes keep three digits, or
    none in sparsely populated areas; dates keep the year; ages above 89, and the years of birth
    that reveal them, form one category. The kind of each column is found by inspection, or given
    by ``columns`` (``{"drop": […], "zip": […], "date": […], "birth": […], "age": […],
    "keep": […]}``). ``year`` is the year as of which ages are computed; by default the current one.
    """
    looked = inspect(frame)
    treatments = _treatments(frame, looked, columns or {})
    plan = _Plan(frame, looked, treatments, year or datetime.now(UTC).year)
    dropped = tuple(name for name, what in treatments.items() if what == "drop")
    steps: list[Method] = [Drop(columns=dropped)] if dropped else []
    for name in frame.columns:
        steps += _steps(plan, name)
    roles = looked.roles.without(set(looked.roles.identifiers) - set(dropped))
    keys = tuple(name for name in roles.quasi_identifiers if name not in dropped)
    others = {name: getattr(roles, name) for name in ("sensitive", "insensitive")}
    kept = tuple(
        name
        for name, what in treatments.items()
        if what == "keep" and name not in (*keys, *others["sensitive"], *others["insensitive"])
    )
    plain = {
        "identifiers": dropped,
        "quasi_identifiers": keys,
        "sensitive": tuple(name for name in others["sensitive"] if name not in dropped),
        "insensitive": (
            *(name for name in others["insensitive"] if name not in dropped),
            *kept,
        ),
        "strata": tuple(name for name in roles.strata if name not in dropped),
        "weight": None if roles.weight in dropped else roles.weight,
    }
    return Recipe.parse(
        {
            "roles": plain,
            "steps": [step.to_dict() for step in steps],
            "require": [{"measure": "safe_harbor", **_rule(plan), "at_most": 0}],
            "follows": ["hipaa_safe_harbor"],
        }
    )


def _rule(plan: _Plan) -> dict[str, Any]:
    """What the requirement on the result cannot tell from the content of a column alone."""
    fields = {"ages": "age", "births": "birth", "postcodes": "zip", "dates": "date"}
    named = {
        field: [name for name, found in plan.treatments.items() if found == what]
        for field, what in fields.items()
    }
    told: dict[str, Any] = {field: names for field, names in named.items() if names}
    return {**told, "year": plan.year} if "births" in told else told


def _treatments(
    frame: pl.DataFrame, looked: Inspection, named: Mapping[Treatment, Sequence[str]]
) -> dict[str, Treatment]:
    strangers = [what for what in named if what not in TREATMENTS]
    if strangers:
        hint = did_you_mean(strangers[0], TREATMENTS)
        raise InputError(
            "No treatment {strangers:quoted}.{hint} One of: {treatments:quoted}.",
            strangers=strangers,
            hint=hint,
            treatments=TREATMENTS,
        )
    said = {name: what for what, names in named.items() for name in names}
    check_columns(tuple(said), frame.columns)
    found = {
        name: said.get(name) or _treatment(looked[name], frame[name]) for name in frame.columns
    }
    return {name: what for name, what in found.items() if what is not None}


def _treatment(column: ColumnProfile, series: pl.Series) -> Treatment | None:
    """What the rule asks for: by the kind of column, and by its content, however few values."""
    if column.kind is not None and column.kind in _TREATED:
        return _TREATED[column.kind]
    if column.role != "identifier" and column.kind not in _DROPPED and _mostly_dates(series):
        return "date"
    if any(tells_contact(series)):
        return "drop"
    if column.kind == "date_part" and "year" in column.name.lower():
        return "keep"
    return "drop" if column.kind in _DROPPED or column.role == "identifier" else None


def _mostly_dates(series: pl.Series) -> bool:
    """Whether most cells that say something say a date."""
    return bool(2 * tells_date(series).sum() > series.count())


def tells_contact(series: pl.Series) -> Iterator[bool]:
    """For each form of address or number that leads to a person, whether a cell has it."""
    if series.dtype in (pl.String, pl.Categorical, pl.Enum):
        text = series.cast(pl.String)
        for pattern in CONTACTS.values():
            yield bool(text.str.contains(pattern).any())


def _steps(plan: _Plan, name: str) -> Iterator[Method]:
    """The steps that coarsen a column."""
    series = plan.frame[name]
    match plan.treatments.get(name):
        case "zip":
            yield from _zip_steps(name, series)
        case "date":
            yield from _year_steps(name, series)
        case "birth":
            yield from _year_steps(name, series)
            last = plan.year - OLDEST - 1
            born = [str(year) for year in range(EARLIEST_YEAR, last + 1)]
            yield _merge_values(name, f"{last} or before", born)
        case "age" if series.dtype.is_numeric():
            yield TopBottomCode(columns=(name,), top=OLDEST + 1)
        case "age":
            yield _merge_values(
                name, f"{OLDEST + 1}+", [str(age) for age in range(OLDEST + 1, 131)]
            )


def _merge_values(name: str, label: str, values: Sequence[str]) -> Method:
    """The step that merges some values under one label and keeps all others."""
    tree = {"hierarchy": "tree", "tree": {label: list(values)}}
    return Generalize.parse({"column": name, "hierarchy": tree, "level": 1, "unlisted": "keep"})


def _zip_steps(name: str, series: pl.Series) -> Iterator[Method]:
    """Three digits, and 000 for sparsely populated areas."""
    if series.dtype.is_numeric():
        # A number has lost its leading zeros.
        digits = {"hierarchy": "digits", "pad": "0", "length": 5, "masked": [2]}
        small = [f"{start}**" for start in SMALL_ZIPS]
    else:
        digits, small = {"hierarchy": "prefix", "lengths": [3]}, list(SMALL_ZIPS)
    yield Generalize.parse({"column": name, "hierarchy": digits, "level": 1})
    yield _merge_values(name, "000", small)


def _year_steps(name: str, series: pl.Series) -> Iterator[Method]:
    """The year of dates; years are kept, and what cannot be read as a date becomes ``*``."""
    found = find_dates(series)
    if series.dtype.is_numeric() and found is None:
        return
    hierarchy: dict[str, Any] = {"hierarchy": "dates", "levels": ["day", "year"]}
    if found is not None and found.formats[0] != "%Y-%m-%d":
        hierarchy["format"] = found.formats[0]
    unlisted = "star" if tells_date(series).any() else "keep"
    yield Generalize.parse(
        {"column": name, "hierarchy": hierarchy, "level": "year", "unlisted": unlisted}
    )


def problems(frame: pl.DataFrame) -> Iterator[str]:
    """Violations of Safe Harbor in a table: by content, and as far as an inspection can see."""
    looked = inspect(frame)
    kinds = {name: looked[name].kind for name in frame.columns}
    rule = SafeHarbor(
        ages=tuple(name for name, kind in kinds.items() if kind == "age"),
        births=tuple(name for name, kind in kinds.items() if kind == "birth_year"),
        postcodes=tuple(name for name, kind in kinds.items() if kind == "postcode"),
    )
    parts = rule.measure(frame).parts
    for name in frame.columns:
        column = looked[name]
        if column.kind in _DROPPED and _treatment(column, frame[name]) == "drop":
            yield f"Column '{name}' seems to hold {_words(column.kind)}: leave it out."
        elif column.role == "identifier":
            yield f"Column '{name}' seems to identify people: leave it out."
        for letter in parts["letters"].get(name, ()):
            yield f"Column '{name}' {_PROBLEMS.get(letter, _LEADS.format(letter[2:]))}"


def _words(kind: str | None) -> str:
    return (kind or "").replace("_", " ") + "s"
