"""Mask parts of a text."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field, field_validator, model_validator

from microveil.labels.recoding import Recoding
from microveil.methods.mask.masks import (
    HIDDEN_LENGTH,
    KEPT_BY,
    Keep,
    Preset,
    by_ends,
    by_pattern,
    by_preset,
    read_pattern,
)
from microveil.methods.mask.pictures import Picture, masked_pictures, refuse_others
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, usable_frame
from microveil.methods.parts.facts import change_facts
from microveil.methods.parts.recoding import replay
from microveil.methods.parts.value_text import value_text
from microveil.tables import Table
from microveil.texts import join_or, phrase


class Mask(Method):
    """Mask parts of a text: by a pattern, all but the ends, or by kind (IP, phone, …); or pictures.

    Use exactly one of the ways. Numbers and dates are masked as text, so the column is text
    afterwards. Missing stays missing.

    >>> Mask(columns="ip", pattern="XXX.XXX.XXX.XXX").protect({"ip": ["10.0.0.1"]})["ip"].item()
    'XXX.XXX.XXX.XXX'
    >>> Mask(columns="name", keep_start=1).protect({"name": ["Annette"]})["name"].item()
    'A******'
    """

    public_parameters: ClassVar[tuple[str, ...]] = (
        "pattern",
        "keep_start",
        "keep_end",
        "keep_length",
        "preset",
        "keep",
        "char",
    )
    method: Literal["mask"] = "mask"
    columns: SomeColumns = ()
    """Columns to mask, all in the same way."""
    pattern: str | None = None
    r"""The result, position by position: `?` keeps the character there, `\` makes the next
    character literal, all else is fixed text. Characters beyond the end of the pattern are
    hidden."""
    keep_start: int | None = Field(default=None, ge=0)
    """Characters to keep at the start; a text no longer than what is kept is fully hidden."""
    keep_end: int | None = Field(default=None, ge=0)
    """Characters to keep at the end."""
    keep_length: bool = True
    """With keep_start or keep_end: one `char` per hidden character. If false, always four, since
    the length of a text may reveal it."""
    preset: Preset | None = None
    """Kind of text: ip, phone, card or email. Other texts are fully hidden and counted."""
    keep: Keep | None = None
    """With a preset, what stays visible: ip nothing (default) or network, phone nothing (default)
    or area, card last_four (default) or nothing, email nothing (default) or domain."""
    picture: Picture | None = None
    """Of binary cells: ``drop`` empties them; ``blur`` and ``pixelate`` coarsen PNG and JPEG
    pictures (needs the extra ``pictures``), and empty and count what is neither."""
    detail: int = Field(default=12, ge=1, le=256)
    """With picture: blocks along the longer side that stay apart."""
    char: str = Field(default="*", min_length=1, max_length=1)
    """Character that replaces hidden ones."""

    @field_validator("pattern")
    @classmethod
    def _readable(cls, pattern: str | None) -> str | None:
        if pattern is not None:
            read_pattern(pattern)
        return pattern

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        ends = self.keep_start is not None or self.keep_end is not None
        n_ways = (self.pattern is not None) + ends + (self.preset is not None)
        n_ways += self.picture is not None
        if n_ways != 1:
            raise ValueError(
                "Choose one way to mask: a pattern, keep_start/keep_end, a preset, or a picture."
            )
        if self.keep is not None and self.preset is None:
            raise ValueError("`keep` goes with a preset; without one, use keep_start/keep_end.")
        if self.preset is not None and self.keep not in (None, *KEPT_BY[self.preset]):
            known = join_or(KEPT_BY[self.preset])
            raise ValueError(
                phrase("The preset {preset} can keep {known}.", preset=self.preset, known=known)
            )
        return self

    @property
    def row_wise(self) -> bool:
        """Always: no row depends on another."""
        return True

    @property
    def draws(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  nothing is left to chance
        """Mask the columns; the facts count cells that do not match the preset."""
        before = usable_frame(table, self.columns, self.kind())
        if self.picture is not None:
            return self._pictures(table, before, self.picture)
        texts = [value_text(before[name]) for name in self.columns]
        masked = [self._mask(text) for text in texts]
        unfit = [
            new.is_null() & text.is_not_null() for text, new in zip(texts, masked, strict=True)
        ]
        after = before.with_columns(
            new.set(gap, self.char * HIDDEN_LENGTH) for new, gap in zip(masked, unfit, strict=True)
        )
        facts: dict[str, Any] = change_facts(before, after, self.columns)
        if self.preset is not None:
            counts = [int(gap.sum()) for gap in unfit]
            facts["n_unfit"] = dict(zip(self.columns, counts, strict=True))
        return Outcome(table.with_frame(after), facts)

    def recodes(self, name: str, values: pl.Series, counts: NDArray[np.int64]) -> Recoding | None:
        """What each value becomes."""
        if name not in self.columns:
            return None
        return replay(self.model_copy(update={"columns": (name,)}), values, counts)

    def _pictures(self, table: Table, before: pl.DataFrame, how: Picture) -> Outcome:
        refuse_others(before, self.columns)
        masked = {name: masked_pictures(before[name], how, self.detail) for name in self.columns}
        after = before.with_columns(one.cells for one in masked.values())
        facts: dict[str, Any] = change_facts(before, after, self.columns)
        facts["n_unfit"] = {name: one.n_unfit for name, one in masked.items()}
        return Outcome(table.with_frame(after), facts)

    def _mask(self, text: pl.Series) -> pl.Series:
        if self.pattern is not None:
            return by_pattern(text, self.pattern, self.char)
        if self.preset is not None:
            keep = self.keep or KEPT_BY[self.preset][0]
            return by_preset(text, self.preset, keep, self.char)
        start, end = self.keep_start or 0, self.keep_end or 0
        return by_ends(text, start, end, self.char, keep_length=self.keep_length)
