"""Cells of a published table, each beside our own number and a computed mark."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

Mark = Literal["equal", "within error", "differs", "not compared", "new"]
MARKS: tuple[Mark, ...] = get_args(Mark)

STANDARD_ERRORS = 3.0
"""How many standard errors two random results may lie apart: of a thousand cells that agree,
fewer than three are reported to differ."""
_NUMBER = re.compile(r"^[+-]?(?:\d+(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d+))?$", re.IGNORECASE)


@dataclass(frozen=True)
class Cell:
    """One quantity of an experiment: as published, as computed here."""

    where: Mapping[str, Any]
    """The row of the table, as text or numbers: method, size, k …"""
    quantity: str
    ours: float
    published: str | None = None
    """As printed, to preserve the number of digits; None if no document has the number."""
    error: float = 0.0
    """Standard error of the difference: that of ours, and of the document's own repetitions."""
    why: str = ""
    """What the document did differently; shown if the cell differs."""
    compared: bool = True
    """Whether agreement is expected: times on other machines are only shown beside ours."""

    @property
    def mark(self) -> Mark:
        """Equal to the digits printed, within error, or different.

        >>> Cell({}, "loss", 0.69104, published=".6910").mark
        'equal'
        >>> Cell({}, "loss", 0.70, published=".6910", error=0.01).mark
        'within error'
        """
        if self.published is None:
            return "new"
        if not self.compared:
            return "not compared"
        apart = abs(self.ours - printed_value(self.published))
        if rounds_to(self.ours, self.published):
            return "equal"
        allowed = STANDARD_ERRORS * self.error + half_a_digit(self.published)
        return "within error" if self.error and apart <= allowed else "differs"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        plain: dict[str, Any] = {**self.where, "quantity": self.quantity}
        if self.published is not None:
            plain["published"] = printed_value(self.published)
        plain["ours"] = self.ours
        plain["error"] = self.error
        plain["mark"] = self.mark
        if self.why and self.mark == "differs":
            plain["why"] = self.why
        return plain


def printed_value(text: str) -> float:
    """The number a document prints; thousands may be set apart by commas.

    >>> printed_value("16,772")
    16772.0
    """
    return float(text.replace(",", ""))


def half_a_digit(text: str) -> float:
    """Half a unit of the last printed digit: what rounding may hide.

    >>> half_a_digit("29.72"), half_a_digit("217"), half_a_digit("1.80e-6")
    (0.005, 0.5, 5e-09)
    """
    found = _NUMBER.match(text.replace(",", "").strip())
    if found is None:
        raise ValueError(f"{text!r} is not a number as documents print them")
    decimals = len(found[1] or found[2] or "")
    return 0.5 * 10.0 ** (int(found[3] or 0) - decimals)


def rounds_to(value: float, text: str) -> bool:
    """Whether a number rounds to the printed one; a half rounds away from zero.

    >>> rounds_to(703.125, "703.13"), rounds_to(0.25, "0.2")
    (True, False)
    """
    apart, half = printed_value(text) - value, half_a_digit(text)
    if abs(abs(apart) - half) <= half * 1e-9:
        return bool(apart * value > 0)
    return abs(apart) < half


def sampling_error(deviation: float, ours: int, theirs: int | None = None) -> float:
    """Standard error of the difference of two means over repetitions.

    >>> sampling_error(2.0, 100, 100) == math.sqrt(4 / 100 + 4 / 100)
    True
    """
    return deviation * math.sqrt(1 / ours + (1 / theirs if theirs else 0.0))


@dataclass(frozen=True)
class Experiment:
    """A table of a document, re-run."""

    title: str
    source: str
    """Where the document has it: `Table 6`, `Exercise 2` …"""
    cells: tuple[Cell, ...]
    note: str = ""
    """What the reader should know about how it was run."""

    @classmethod
    def of(
        cls,
        title: str,
        source: str,
        cells: Iterable[Cell],
        *,
        note: str = "",
        why: Callable[[Cell], str] | None = None,
    ) -> Experiment:
        """An experiment; ``why`` gives the reason for cells that differ and have none."""
        done = tuple(_explain(cell, why) for cell in cells)
        return cls(title, source, done, note)

    def counts(self) -> dict[Mark, int]:
        """Number of cells with each mark."""
        found = [cell.mark for cell in self.cells]
        return {mark: found.count(mark) for mark in MARKS if mark in found}

    def unexplained_cells(self) -> list[Cell]:
        """Cells that differ without a reason."""
        return [cell for cell in self.cells if cell.mark == "differs" and not cell.why]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        plain: dict[str, Any] = {"title": self.title, "source": self.source}
        if self.note:
            plain["note"] = self.note
        return {**plain, "counts": self.counts(), "cells": [cell.to_dict() for cell in self.cells]}


def _explain(cell: Cell, why: Callable[[Cell], str] | None) -> Cell:
    if why is None or cell.why or cell.mark != "differs":
        return cell
    return replace(cell, why=why(cell))
