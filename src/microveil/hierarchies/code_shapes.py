"""Shapes of known codes: how each is written, and what its parts mean, coarsest last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from microveil.hierarchies.countries import REGIONS, SPELLED, SUBREGIONS
from microveil.hierarchies.icd_blocks import icd_block, icd_chapter

TEXT = pl.col("text")
NACE_SECTIONS = (
    (1, 3, "A"), (5, 9, "B"), (10, 33, "C"), (35, 35, "D"), (36, 39, "E"), (41, 43, "F"),
    (45, 47, "G"), (49, 53, "H"), (55, 56, "I"), (58, 63, "J"), (64, 66, "K"), (68, 68, "L"),
    (69, 75, "M"), (77, 82, "N"), (84, 84, "O"), (85, 85, "P"), (86, 88, "Q"), (90, 93, "R"),
    (94, 96, "S"), (97, 98, "T"), (99, 99, "U"),
)  # fmt: skip
"""First and last division of each section of NACE Rev. 2."""
NUTS_COUNTRIES = (
    "AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|UK|"
    "CH|IS|LI|NO|AL|BA|ME|MK|RS|TR|XK"
)


@dataclass(frozen=True)
class Shape:
    """One way of writing codes, and the label of a code at each level."""

    pattern: str
    labels: tuple[pl.Expr, ...]


@dataclass(frozen=True)
class System:
    """A classification: names of its levels, and the ways its codes are written."""

    title: str
    levels: tuple[str, ...]
    shapes: tuple[Shape, ...]


def _heads(*lengths: int) -> tuple[pl.Expr, ...]:
    return tuple(TEXT.str.head(length) for length in lengths)


def _extracts(*patterns: str) -> tuple[pl.Expr, ...]:
    return tuple(TEXT.str.extract(pattern) for pattern in patterns)


def _nace_section(division: pl.Expr) -> pl.Expr:
    number = division.cast(pl.Int64, strict=False)
    found = pl.lit(None, dtype=pl.String)
    for first, last, letter in NACE_SECTIONS:
        found = pl.when(number.is_between(first, last)).then(pl.lit(letter)).otherwise(found)
    return found


def _nace_aggregate(section: pl.Expr) -> pl.Expr:
    """The ten groups of sections for publication (A*10 of NACE Rev. 2)."""
    groups = {
        letter: group if len(group) == 1 else f"{group[0]}-{group[-1]}"
        for group in ("A", "BCDE", "F", "GHI", "J", "K", "L", "MN", "OPQ", "RSTU")
        for letter in group
    }
    return section.replace_strict(groups, default=None, return_dtype=pl.String)


def _by_country(spelled: pl.Expr) -> tuple[pl.Expr, ...]:
    """Subregion and region of a country by its number or name."""
    code = spelled.replace_strict(SPELLED, default=None, return_dtype=pl.String)
    return tuple(
        code.replace_strict(one, default=None, return_dtype=pl.String)
        for one in (SUBREGIONS, REGIONS)
    )


_DIVISION = TEXT.str.extract(r"^[A-U]?(\d{2})")
_GROUP = pl.concat_str(_DIVISION, pl.lit("."), TEXT.str.extract(r"^[A-U]?\d{2}\.?(\d)"))
_SECTION = _nace_section(_DIVISION)

SYSTEMS: Mapping[str, System] = {
    "icd10": System(
        "diagnoses (ICD-10)",
        ("category", "block", "chapter"),
        (
            Shape(
                r"^[A-Z]\d[0-9AB](\.?[0-9A-Z]{1,4})?$",
                (TEXT.str.head(3), icd_block(TEXT.str.head(3)), icd_chapter(TEXT.str.head(3))),
            ),
        ),
    ),
    "nace": System(
        "economic activities (NACE)",
        ("group", "division", "section", "aggregate"),
        (
            Shape(
                r"^[A-U]?\d{2}\.?\d{1,2}$",
                (_GROUP, _DIVISION, _SECTION, _nace_aggregate(_SECTION)),
            ),
            Shape(
                r"^[A-U]?\d{2}$", (_DIVISION, _DIVISION, _SECTION, _nace_aggregate(_SECTION))
            ),
            Shape(r"^[A-U]$", (TEXT, TEXT, TEXT, _nace_aggregate(TEXT))),
        ),
    ),
    "isco": System(
        "occupations (ISCO-08)",
        ("minor group", "sub-major group", "major group"),
        (Shape(r"^\d{1,4}$", _heads(3, 2, 1)),),
    ),
    "nuts": System(
        "regions (NUTS)",
        ("NUTS 2", "NUTS 1", "country"),
        (Shape(rf"^({NUTS_COUNTRIES})[0-9A-Z]{{0,3}}$", _heads(4, 3, 2)),),
    ),
    "country": System(
        "countries (ISO 3166)",
        ("subregion", "region"),
        (
            Shape(
                r"^[A-Z]{2,3}$",
                (
                    TEXT.replace_strict(SUBREGIONS, default=None, return_dtype=pl.String),
                    TEXT.replace_strict(REGIONS, default=None, return_dtype=pl.String),
                ),
            ),
            # Numbers, whose leading zeros may be lost, and names
            Shape(r"^\d{1,3}$", _by_country(TEXT.str.zfill(3))),
            Shape(r"^\D{2,}$", _by_country(TEXT.str.replace_all("’", "'"))),
        ),
    ),
    "ip": System(
        "IP addresses",
        ("/24", "/16", "/8"),
        (
            Shape(
                r"^\d{1,3}(\.\d{1,3}){3}$",
                _extracts(r"^(\d+\.\d+\.\d+)\.", r"^(\d+\.\d+)\.", r"^(\d+)\."),
            ),
            Shape(
                r"^[0-9A-F]{1,4}(:[0-9A-F]{0,4}){2,7}$",
                _extracts(
                    r"^((?:[0-9A-F]*:){2}[0-9A-F]*)", r"^([0-9A-F]*:[0-9A-F]*)", r"^([0-9A-F]*)"
                ),
            ),
        ),
    ),
    "postcode": System(
        "postcodes",
        ("sector", "district", "area", "zone"),
        (
            # United Kingdom, Ireland, Canada, the Netherlands
            Shape(
                r"^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$",
                _extracts(
                    r"^([A-Z]{1,2}\d[A-Z\d]?? ?\d)[A-Z]{2}$",
                    r"^([A-Z]{1,2}\d[A-Z\d]??) ?\d[A-Z]{2}$",
                    r"^([A-Z]{1,2})",
                    r"^([A-Z])",
                ),
            ),
            Shape(r"^[AC-FHKNPRTV-Y]\d[0-9W] ?[0-9AC-FHKNPRTV-Y]{4}$", _heads(3, 3, 1, 1)),
            Shape(r"^[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d$", _heads(3, 3, 2, 1)),
            Shape(r"^[1-9]\d{3} ?[A-Z]{2}$", _heads(4, 3, 2, 1)),
            # Portugal, Brazil, Japan, Poland
            Shape(r"^\d{4}-\d{3}$", _heads(4, 3, 2, 1)),
            Shape(r"^\d{5}-\d{3}$", _heads(5, 3, 2, 1)),
            Shape(r"^\d{3}-\d{4}$", _heads(3, 3, 2, 1)),
            Shape(r"^\d{2}-\d{3}$", _heads(4, 4, 2, 1)),
            # Sweden, Greece, the Czech Republic; the United States with their extension
            Shape(r"^\d{3} \d{2}$", _heads(5, 3, 2, 1)),
            Shape(r"^\d{5}-\d{4}$", _heads(4, 3, 2, 1)),
            # Russia, China, India; Spain, Germany, France, Italy, Estonia, the United States;
            # Denmark, Norway, Austria, Switzerland, Belgium; Iceland
            Shape(r"^([A-Z]{1,2}-)?\d{6}$", _extracts(r"(\d{4})", r"(\d{3})", r"(\d{2})", r"(\d)")),
            Shape(r"^([A-Z]{1,2}-)?\d{5}$", _extracts(r"(\d{4})", r"(\d{3})", r"(\d{2})", r"(\d)")),
            Shape(r"^([A-Z]{1,2}-)?\d{4}$", _extracts(r"(\d{3})", r"(\d{3})", r"(\d{2})", r"(\d)")),
            Shape(r"^([A-Z]{1,2}-)?\d{3}$", _extracts(r"(\d{2})", r"(\d{2})", r"(\d)", r"(\d)")),
        ),
    ),
}  # fmt: skip
"""Every system by the name that recipes use."""
