"""Coding: released columns as numbered codes with labels, for SPSS and Stata.

A column that a statistics package held as numbers stays one: ages that became intervals, codes of
which rare ones were merged. What is still a number keeps it; each other label gets a new number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import TYPE_CHECKING

import polars as pl

from microveil.files.labels import Code, Codebook, Labels
from microveil.files.statistical.coding import MEANING, without_meaning
from microveil.files.statistical.fitting_labels import may_label
from microveil.methods.parts.value_text import value_text
from microveil.release.limits import check_limits
from microveil.release.verifying import verify
from microveil.tables import Table

if TYPE_CHECKING:
    from microveil.release.release import Release

PACKAGES = {"spss": "sav", "stata": "dta"}
"""Formats that hold categories as numbers with labels."""
MOST_CODES = 65_000
"""Labels that Stata holds for one column."""
LARGEST = 1_000_000_000
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d+)?")
_TEXTS = (pl.String, pl.Categorical, pl.Enum)


@dataclass(frozen=True)
class Coded:
    """What is written: texts that have a code book, and the labels with these books."""

    frame: pl.DataFrame
    labels: Labels


def code_release(release: Release, frame: pl.DataFrame, labels: Labels, name: str) -> Coded:
    """The columns that were numbers, as texts with their code books, for a format by name.

    Kinds of missing (Stata's ``.a``, numbers that SPSS declares missing) stay apart in columns that
    no step perturbs, if every requirement holds with them as values of their own.
    """
    known, kind = labels, PACKAGES[name]
    gaps = _kept_gaps(release, known)
    notes = [
        f"Kinds of missing of column '{column}' are one: apart, they would tell people apart, or a "
        "step changed them."
        for column in known.gaps
        if column in frame.columns and column not in gaps
    ]
    columns, books = [], {}
    for column in frame.columns:
        codes = known.values.get(column, {})
        texts = _texts(release, frame[column], gaps.get(column), codes)
        if texts is None:
            continue
        found = make_codebook(texts.drop_nulls().unique(), codes, kind)
        if found is None:
            notes.append(
                f"Column '{column}' is text: its labels are too long or too many for codes."
            )
            continue
        columns.append(texts)
        books[column] = found
    told = replace(known, gaps={}, books=books, notes=tuple(notes))
    return Coded(frame.with_columns(columns), told)


def _texts(
    release: Release, column: pl.Series, gaps: pl.Series | None, codes: Mapping[Code, str]
) -> pl.Series | None:
    """The texts that get numbers; None if the column is written as it is."""
    before = release.original.frame.schema.get(column.name)
    numbers = any(not isinstance(code, str) for code in codes)
    numeric = before is not None and before.is_numeric()
    if column.dtype.base_type() in _TEXTS and (numeric or numbers):
        texts = column.cast(pl.String)
    elif column.dtype.is_numeric() and gaps is not None:
        texts = value_text(column)
    else:
        return None
    if gaps is None:
        return texts
    if bool(texts.str.starts_with(".").any()):
        return texts  # such a label would read as a kind of missing
    return texts.fill_null(gap_text(gaps).alias(column.name))


def gap_text(gaps: pl.Series) -> pl.Series:
    """Kinds of missing as texts that no value has: ``.a``, ``.98``."""
    return pl.select(pl.lit(".") + gaps.cast(pl.String)).to_series()


def _kept_gaps(release: Release, labels: Labels) -> dict[str, pl.Series]:
    """Kinds of missing that may stay, for the released rows in their order."""
    gaps = {name: one for name, one in labels.gaps.items() if name in release.table.columns}
    rows, table = release.table.rows, release.table
    whole = release.joined is None and not release.table.synthetic
    sizes = {len(one) for one in gaps.values()}
    if not gaps or not whole or sizes != {release.original.height}:
        return {}
    if rows is None and table.height != release.original.height:
        return {}
    here = {}
    for name, kinds in gaps.items():
        mine = kinds if rows is None else kinds.gather(pl.Series(rows))
        missing = table.frame[name].is_null()
        if _is_as_it_was(release, name) and bool(missing.filter(mine.is_not_null()).all()):
            here[name] = mine
    for wanted in (here, _in_large_classes(release, here), _without_keys(release, here)):
        if _hold(release, wanted):
            return wanted
    return {}


def _is_as_it_was(release: Release, name: str) -> bool:
    """Whether no step moves or changes missing cells of a column between records."""
    for step in release.recipe.steps:
        columns = getattr(step, "columns", ())
        if step.perturbative and (not columns or name in columns):
            return False
    return True


def _in_large_classes(release: Release, gaps: Mapping[str, pl.Series]) -> dict[str, pl.Series]:
    """Kinds of missing keys only in classes that have enough records of every kind."""
    table, told = release.table.frame, dict(gaps)
    k = max((getattr(model, "k", 2) or 2 for model in release.recipe.models), default=2)
    for keys in release.recipe.roles.key_sets().values():
        here = [key for key in keys if key in table.columns]
        kinds = [told[key].alias(f"kind of {key}") for key in here if key in told]
        if not kinds:
            continue
        names = [kind.name for kind in kinds]
        rows = table.select(here).with_columns(kinds).with_columns(n=pl.len().over(*here, *names))
        small = rows.select((pl.col("n").min() < k).over(here)).to_series()
        told |= {key: told[key].set(small, None) for key in here if key in told}
    return {name: kinds for name, kinds in told.items() if kinds.null_count() < len(kinds)}


def _without_keys(release: Release, gaps: Mapping[str, pl.Series]) -> dict[str, pl.Series]:
    keys = {key for keys in release.recipe.roles.key_sets().values() for key in keys}
    return {name: one for name, one in gaps.items() if name not in keys}


def _hold(release: Release, gaps: Mapping[str, pl.Series]) -> bool:
    """Whether the requirements hold if every kind of missing is a value of its own."""
    evidence = release.evidence
    if not gaps:
        return True
    if not isinstance(evidence.records, Table) or evidence.possible is not None:
        return False
    told = [
        value_text(release.table.frame[name]).cast(pl.String).fill_null(gap_text(kinds).alias(name))
        for name, kinds in gaps.items()
        if name in evidence.records.columns
    ]
    checks = verify(release.recipe, evidence.records.with_columns(told))
    if release.recipe.limits:
        whole = release.whole.with_columns(told)
        checks = (*checks, *check_limits(release.recipe, release.original, whole))
    return all(check.holds for check in checks)


def make_codebook(texts: pl.Series, known: Mapping[Code, str], kind: str) -> Codebook | None:
    """Numbers for the distinct texts of a column; None if a package cannot label them.

    Texts that are numbers keep them, with their label. New numbers follow all of these: 11, 12 …
    after codes of one digit, 101 after two; from 1 if no number is left.

    >>> book = make_codebook(pl.Series(["1", "other", "[2, 4)"]), {1: "single"}, "sav")
    >>> book.codes, book.labels[11]
    ({'1': 1, '[2, 4)': 11, 'other': 12}, '[2, 4)')
    """
    told = [str(text) for text in texts]
    gaps = sorted((text for text in told if text.startswith(".")), key=_place)
    codes: dict[str, int | float] = {}
    for text in sorted((text for text in told if _NUMBER.fullmatch(text)), key=len):
        number = _whole(float(text))
        if number not in codes.values():
            codes[text] = number
    new = sorted((text for text in told if text not in codes and text not in gaps), key=_place)
    fresh = _fresh([*codes.values(), *(_known_numbers(known) if codes else ())])
    missing = dict(_missing_codes(gaps, kind, fresh))
    taken = set(missing.values())
    codes |= dict(zip(new, (code for code in fresh if code not in taken), strict=False))
    labels = _labels(codes, missing, known, kind)
    labels |= {codes[text]: _label_new_code(text, known, kind) for text in new}
    too_long = any(without_meaning(labels[codes[text]]) != text for text in new)
    blank = any(not text.strip() for text in new)
    if too_long or blank or len(labels) > MOST_CODES or not _separate(missing, codes, kind):
        return None
    return Codebook(codes, missing, labels)


def _labels(
    codes: Mapping[str, int | float],
    missing: Mapping[str, Code],
    known: Mapping[Code, str],
    kind: str,
) -> dict[Code, str]:
    """The labels that codes and kinds of missing already have."""
    kept: dict[Code, Code] = {code: code for code in codes.values()}
    kept |= {code: _gap_code(text) for text, code in missing.items()}
    found = {code: known[old] for code, old in kept.items() if old in known}
    return {code: text for code, text in found.items() if may_label(text, kind)}


def _whole(number: float) -> int | float:
    return int(number) if number.is_integer() else number


def _known_numbers(known: Mapping[Code, str]) -> list[int | float]:
    return [code for code in known if not isinstance(code, str)]


def _fresh(used: Iterable[int | float]) -> Iterator[int]:
    """New numbers, after the next power of ten, or wherever there is room."""
    taken = {float(number) for number in used}
    largest = max((abs(number) for number in taken), default=0.0)
    start = 1 if not taken else 10 ** len(str(int(largest))) + 1
    number = start if start <= LARGEST else 1
    while True:
        if number not in taken:
            yield number
        number += 1


def _place(text: str) -> tuple[bool, tuple[float, ...], str]:
    """Order of labels: by the numbers in them, those without any last."""
    numbers = tuple(float(one) for one in re.findall(r"-?\d+(?:\.\d+)?", text))
    return not numbers, numbers, text


def _label_new_code(text: str, known: Mapping[Code, str], kind: str) -> str:
    """The label of a new code; of a set of labelled codes, with what they mean."""
    members = text[1:-1].split(", ") if text.startswith("{") and text.endswith("}") else []
    labels = [known.get(_gap_code(f".{member}")) for member in members]
    if not labels or None in labels:
        return text if may_label(text, kind) else ""
    full = f"{text[:-1]}{MEANING}{'; '.join(str(one) for one in labels)}"
    while not may_label(full, kind) and len(full) > len(text):
        full = full[:-1]
    return full if full.startswith(f"{text}:") else text


def _gap_code(text: str) -> Code:
    """The code that a text of a kind of missing stands for: a letter, or a number."""
    rest = text[1:]
    return _whole(float(rest)) if _NUMBER.fullmatch(rest) else rest


def _missing_codes(gaps: list[str], kind: str, fresh: Iterator[int]) -> Iterator[tuple[str, Code]]:
    """How a package says each kind of missing: Stata by letters, SPSS by numbers."""
    free = (letter for letter in ascii_lowercase if f".{letter}" not in gaps)
    for text in gaps:
        code = _gap_code(text)
        if kind == "dta":
            yield text, code if isinstance(code, str) and code in ascii_lowercase else next(free)
        else:
            yield text, next(fresh) if isinstance(code, str) else code


def _separate(missing: Mapping[str, Code], codes: Mapping[str, float], kind: str) -> bool:
    """Whether kinds of missing and values do not mix: SPSS declares three numbers, or a range."""
    few = 3
    if kind == "dta" or not missing:
        return True
    numbers = [float(code) for code in missing.values()]
    if len(numbers) <= few:
        return not set(numbers) & {float(code) for code in codes.values()}
    return not any(min(numbers) <= code <= max(numbers) for code in codes.values())
