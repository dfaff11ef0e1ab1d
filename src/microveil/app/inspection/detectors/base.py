"""Detector: what one kind of content looks like in a column's name and values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from microveil.app.inspection.column import Column, Form
from microveil.app.inspection.limits import FEWEST_VALUES, VALUES_NAMED
from microveil.app.inspection.naming import Words
from microveil.app.inspection.result import Role
from microveil.files.columns.checksums import bare
from microveil.texts import Message

TEXT = pl.col("text")
NUMBER = pl.col("number")
DATE = pl.col("date")

TEXTS: tuple[Form, ...] = ("text",)
CODES: tuple[Form, ...] = ("text", "whole")
NUMBERS: tuple[Form, ...] = ("text", "whole", "decimal")
CATEGORIES: tuple[Form, ...] = ("text", "whole", "boolean")
NO_WORDS = Words()
VALUES: tuple[Form, ...] = ("text", "whole", "decimal", "boolean")


@dataclass(frozen=True, eq=False)
class Detector:
    """One kind of content.

    The name is matched by ``names``, the values by ``shape``, an expression over the columns
    ``text``, ``number`` and ``date`` of a sample. Without a shape the name decides.
    """

    kind: str
    noun: str
    """What the values are, as a plural noun for a sentence."""
    role: Role
    why: str
    """Why the kind has this role."""
    names: Words = NO_WORDS
    forms: tuple[Form, ...] = TEXTS
    shape: pl.Expr | None = None
    named_shape: pl.Expr | None = None
    """A wider shape for columns with a matching name; ``shape`` by default."""
    check: Callable[[str], bool] | None = None
    """Checksum over the letters and digits of a value that has the shape."""
    alone: float | None = None
    """Share of values that must fit if the name does not match; None: the name must match."""
    named: float = VALUES_NAMED
    """Share of values that must fit if the name matches."""
    fewest: int = FEWEST_VALUES
    """Number of fitting values needed if the name does not match."""
    fits: Callable[[Column], bool] | None = None
    """Condition on the column as a whole: its counts, its spread."""
    sure: bool = False
    """Whether a matching name outweighs values that look like something else."""

    def look(self, column: Column) -> Look | None:
        """What this detector must examine in a column; None if it cannot be this kind."""
        if column.form not in self.forms:
            return None
        named = self.names.match(*column.names)
        if not named and self.alone is None:
            return None
        if self.fits is not None and not self.fits(column):
            return None
        shape = self.shape if not named or self.named_shape is None else self.named_shape
        return Look(self, named=named, shape=shape)


@dataclass(frozen=True, eq=False)
class Look:
    """A detector that may apply to a column, before its values are examined."""

    detector: Detector
    named: bool
    shape: pl.Expr | None

    def judge(self, text: pl.Series, fitting: pl.Series | None) -> Finding | None:
        """The verdict, given which values of the sample have the shape."""
        detector = self.detector
        if fitting is None or (self.named and not len(fitting)):
            return Finding(detector, self.named, None)
        n_fitting = int(fitting.sum())
        if detector.check is not None and n_fitting:
            candidates = text.filter(fitting).drop_nulls()
            n_fitting = sum(detector.check(bare(value)) for value in candidates)
        share = n_fitting / len(fitting) if len(fitting) else 0.0
        needed = detector.named if self.named else detector.alone
        enough = self.named or n_fitting >= detector.fewest
        if needed is None or share < needed or not enough:
            return None
        return Finding(detector, self.named, share)


@dataclass(frozen=True, eq=False)
class Finding:
    """A kind that a column seems to hold, and the evidence for it."""

    detector: Detector
    named: bool
    share: float | None
    """Share of the sampled distinct values that fit; None if only the name matches."""

    @property
    def strength(self) -> int:
        """Name and values 3, values alone 2, name alone 1 (3 if the name is sure)."""
        if self.named and self.detector.sure:
            return 3
        return 1 if self.share is None else 2 + self.named

    @property
    def reasons(self) -> tuple[str, ...]:
        """The evidence for the kind, and why the kind has its role."""
        found = []
        if self.named:
            found.append(
                Message(
                    "inspect.name_suggests", "the name suggests {noun}", noun=self.detector.noun
                )
            )
        if self.share is not None:
            found.append(
                Message(
                    "inspect.values_look_like",
                    "{share:%} of the values look like {noun}",
                    share=self.share,
                    noun=self.detector.noun,
                )
            )
        return (*found, self.detector.why)


def detect(column: Column, detectors: tuple[Detector, ...]) -> Finding | None:
    """The strongest finding for a column; the first in the list if tied."""
    looks = [look for detector in detectors if (look := detector.look(column)) is not None]
    shapes = {
        str(number): look.shape for number, look in enumerate(looks) if look.shape is not None
    }
    fitting = column.views.select(
        shape.fill_null(False).alias(number) for number, shape in shapes.items()
    )
    text = column.views["text"]
    findings = [
        finding
        for number, look in enumerate(looks)
        if (finding := look.judge(text, fitting[str(number)] if str(number) in shapes else None))
    ]
    return max(findings, key=lambda finding: finding.strength, default=None)
