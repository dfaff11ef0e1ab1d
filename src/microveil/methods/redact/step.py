"""Redact free text beside a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from microveil.errors import InputError
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, refuse_kinds, usable_frame
from microveil.methods.parts.value_text import value_text
from microveil.methods.redact.dates import date_spans
from microveil.methods.redact.lists import Phrases
from microveil.methods.redact.own import Own, rare_names
from microveil.methods.redact.patterns import PATTERNS, Pattern, pattern_spans
from microveil.methods.redact.presidio import presidio_finder
from microveil.methods.redact.spans import Span, without, words_of
from microveil.tables import Table
from microveil.tables.roles import Columns
from microveil.texts import phrase

TEXTS = (pl.String, pl.Categorical, pl.Enum)


class Redact(Method):
    """Redact free text: a record's own identifiers, other people's rare names, patterns, lists.

    Each place found is replaced by what it was, as ``[name]`` or ``[phone]``. Own identifiers are
    found as names in any order and case, with initials, without accents or with ``ue`` for ü, with
    a genitive s, and run together as in the name of an account; numbers with any punctuation;
    addresses by two words in a row; dates in numbers and in words of many languages. Where the
    roles name an entity or a household, all identifiers of its rows are its own. Numbers of
    accounts, cards and states count only if their check digits hold.

    **What remains is not guaranteed to be anonymous**: nicknames, misspelt names, and what a story
    tells are not found. Read a sample, or leave the text out. Put it before the steps that drop or
    change identifiers; the facts say which were looked for. Missing stays missing. Time grows with
    the text, about two seconds for a megabyte.

    >>> notes = {"name": ["Eva Ruiz"], "note": ["RUIZ, E. rang from +34 600 123 456."]}
    >>> Redact(columns=["note"], identifiers=["name"]).protect(notes)["note"].item()
    '[name] rang from [phone].'
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("patterns", "engine", "language")
    method: Literal["redact"] = "redact"
    columns: SomeColumns = ()
    """Columns of free text."""
    identifiers: Columns = ()
    """Columns that hold the record's own identifiers (names, numbers, addresses); by default the
    roles' identifiers and entity."""
    dates: Columns = ()
    """Columns of the record's own dates (birth, admission); by default all columns of dates."""
    patterns: tuple[Pattern, ...] = tuple(one for one in PATTERNS if one != "date")
    """What is redacted whoever it belongs to; ``date`` stands for every date."""
    lists: tuple[Path, ...] = ()
    """Text files of words and phrases to redact, one in each line."""
    others: int = Field(default=20, ge=0)
    """Names of other records go, too, if at most so many people have them and they begin with a
    capital letter; 0 for none."""
    engine: Literal["own", "presidio"] = "own"
    """``presidio`` adds what Microsoft's Presidio finds; it must be installed with a language
    model."""
    language: str = Field(default="en", pattern="^[a-z]{2}$")
    """Language of the text, for Presidio."""

    @property
    def draws(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  no chance
        """Read every text once; the facts count what was replaced, by kind."""
        frame = usable_frame(table, self.columns, self.kind())
        refuse_kinds(
            frame, self.columns, lambda dtype: dtype in TEXTS, phrase("Step 'redact' needs text.")
        )
        reader = self._reader(table)
        found: Counter[str] = Counter()
        n_changed: dict[str, int] = {}
        after = []
        for name in self.columns:
            texts, kinds = _redact(frame[name], reader)
            after.append(pl.Series(name, texts, dtype=pl.String))
            found.update(kinds)
            n_changed[name] = int((after[-1] != frame[name].cast(pl.String)).sum())
        facts: dict[str, Any] = {
            "n_changed": n_changed,
            "n_redacted": dict(sorted(found.items())),
            "identifiers": list(self._identifiers(table)),
        }
        return Outcome(table.with_columns(after), facts)

    def _reader(self, table: Table) -> _Reader:
        owner = _owners(table)
        names = [name for name in self._identifiers(table) if name not in self.columns]
        told = {name: value_text(table.frame[name]).to_list() for name in names}
        pairs = [
            (int(who), text)
            for texts in told.values()
            for who, text in zip(owner, texts, strict=True)
            if text is not None
        ]
        own: dict[int, Own] = {}
        for who, text in dict.fromkeys(pairs):
            own.setdefault(who, Own()).add(text)
        finder = presidio_finder(self.language) if self.engine == "presidio" else None
        rare = rare_names(pairs, self.others) if self.others else frozenset()
        lists = Phrases.read(self.lists)
        return _Reader(owner, own, self._dates(table, owner), rare, lists, self.patterns, finder)

    def _identifiers(self, table: Table) -> Sequence[str]:
        if self.identifiers:
            table.require(self.identifiers)
            return self.identifiers
        roles = table.roles
        named = [*roles.identifiers, *([] if roles.entity is None else [roles.entity])]
        return [name for name in named if not table.frame.schema[name].is_nested()]

    def _dates(self, table: Table, owner: Sequence[int]) -> dict[int, set[date]]:
        """The dates of each person."""
        table.require(self.dates)
        schema = table.frame.schema
        names = self.dates or [
            name for name, dtype in schema.items() if isinstance(dtype, pl.Date | pl.Datetime)
        ]
        found: dict[int, set[date]] = {}
        for name in names:
            if not isinstance(schema[name], pl.Date | pl.Datetime | pl.Null):
                raise InputError(
                    "Step '{step}' needs dates. Give text its format in the recipe's `reading`.",
                    step=self.kind(),
                )
            for who, day in zip(owner, table.frame[name].to_list(), strict=True):
                if day is not None:
                    found.setdefault(int(who), set()).add(
                        day.date() if isinstance(day, datetime) else day
                    )
        return found


@dataclass(frozen=True, eq=False)
class _Reader:
    """What is looked for in the text of each row."""

    owner: Sequence[int]
    own: dict[int, Own]
    dates: dict[int, set[date]]
    rare: frozenset[str]
    lists: Phrases
    patterns: Sequence[Pattern]
    finder: Callable[[str], Iterator[Span]] | None

    def spans(self, row: int, text: str) -> Iterator[Span]:
        """Every place of a text that must go."""
        who = int(self.owner[row])
        words = words_of(text)
        yield from pattern_spans(text, self.patterns)
        yield from date_spans(text, self.dates.get(who, ()), every="date" in self.patterns)
        if who in self.own:
            yield from self.own[who].spans(text, words)
        for word in words:
            if word.capital and not self.rare.isdisjoint((word.folded, word.spelt_out)):
                yield Span(word.start, word.end, "name")
        yield from self.lists.spans(words)
        if self.finder is not None:
            yield from self.finder(text)


def _owners(table: Table) -> Sequence[int]:
    """The household of each row, or its person, or the row itself."""
    household = table.roles.household
    if household is not None and household in table.columns:
        codes = table.frame[household].rank("dense").to_list()
        # A row without a household is one of its own.
        return [-1 - row if code is None else int(code) for row, code in enumerate(codes)]
    if table.people is not None:
        return [int(who) for who in table.people]
    return range(table.height)


def _redact(column: pl.Series, reader: _Reader) -> tuple[list[str | None], Counter[str]]:
    """A column without what was found in it, and how often each kind was."""
    found: Counter[str] = Counter()
    texts: list[str | None] = []
    for row, text in enumerate(column.cast(pl.String).to_list()):
        if text is None:
            texts.append(None)
            continue
        told, kinds = without(text, reader.spans(row, text))
        texts.append(told)
        found.update(kinds)
    return texts, found
