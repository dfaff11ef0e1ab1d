"""Swap the locations of similar households."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Any, Literal, Self

import numpy as np
import polars as pl
from pydantic import BeforeValidator, Field, model_validator

from microveil.arrays import Longs
from microveil.errors import ColumnError, InputError
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, apart, usable_frame
from microveil.methods.parts.facts import change_facts
from microveil.methods.parts.households import person_level
from microveil.methods.swap_records.exchange import Exchange, Places
from microveil.methods.swap_records.households import Households, seen_order
from microveil.tables import Classes, Table
from microveil.tables.codes import pack
from microveil.tables.roles import Columns


def _profiles(raw: object) -> object:
    """A single list of names is one profile."""
    if isinstance(raw, str):
        return ((raw,),)
    named = isinstance(raw, list | tuple) and raw and all(isinstance(name, str) for name in raw)
    return (raw,) if named else raw


class SwapRecords(Method):
    """Swap the geographic codes of similar households in different areas (record swapping).

    Pairs of whole households swap locations: the codes of the hierarchy, and columns carried along,
    go to the partner; nothing else moves. A household is swapped at most once, with one outside its
    area that matches it on the first profile of ``similar`` for which there is one.

    With ``k``, households at risk come first (targeted record swapping; Eurostat): those with a
    member whose ``risk_columns`` fewer than k people share within the area. Each must leave the
    largest area in which that holds; the highest level is processed first. Then further households
    of the smallest areas are swapped until ``swap_share`` is reached. Partners and further
    households are drawn at random, with weight 1 / people who share the risk columns.

    The number of households in each area is preserved exactly, as is the number of records if
    partners have the same size, and counts by area and any column named in all profiles. Households
    with a missing code of the hierarchy stay where they are; a record with a missing household is
    one by itself; elsewhere missing is a value. Takes the time of a sort.

    >>> frame = {"town": ["a", "a", "b", "b"], "rooms": [1, 2, 2, 1]}
    >>> step = SwapRecords(hierarchy="town", similar="rooms", swap_share=1)
    >>> step.protect(frame, seed=1)["town"].to_list()
    ['b', 'b', 'a', 'a']
    """

    method: Literal["swap_records"] = "swap_records"
    hierarchy: SomeColumns
    """Columns of geographic codes, from the largest areas to the smallest."""
    household: str | None = None
    """Household identifier; by default the roles' household, and without that each record is one
    household."""
    similar: Annotated[tuple[SomeColumns, ...], BeforeValidator(_profiles)] = ()
    """Profiles in order of preference: lists of columns in which two households must agree. Name
    columns of the hierarchy to keep swaps inside a larger area if possible."""
    same_size: bool = True
    """Whether partners must have the same number of records, which preserves each area's number."""
    swap_share: float = Field(default=0.05, ge=0, le=1)
    """Share of the households that are swapped, including partners; more if more are at risk."""
    k: int | None = Field(default=None, ge=2)
    """Households with a member in a class smaller than this must be swapped; by default none."""
    risk_columns: Columns = ()
    """Columns an intruder may know about a person; by default the roles' quasi-identifiers outside
    the hierarchy."""
    carry_along: Columns = ()
    """Further columns that belong to a location and move with its codes."""
    codes_nest: bool = True
    """Whether each code belongs to only one larger area, which is checked; false if codes are
    renumbered in each larger area."""

    @model_validator(mode="after")
    def _something_to_do(self) -> Self:
        apart(self.hierarchy, self.carry_along, ("hierarchy", "carry_along"))
        if not self.swap_share and self.k is None:
            raise ValueError("Nothing would be swapped: give a swap_share above 0, or k.")
        return self

    @property
    def perturbative(self) -> bool:
        """Always: a household may end up in another's location."""
        return True

    def touches(self, table: Table) -> tuple[str, ...]:  # noqa: ARG002  named, whatever the table
        """The columns that move."""
        return (*self.hierarchy, *self.carry_along)

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Swap locations; the facts count households at risk, swapped, and left unmatched."""
        risk_columns = self._risk_columns(table)
        alike = [*self.touches(table), *(name for profile in self.similar for name in profile)]
        household = self.household or table.roles.household or _whole_people(table, alike)
        named = [*alike, *risk_columns, *([household] if household else [])]
        frame = usable_frame(table, list(dict.fromkeys(named)), self.kind())
        households = Households.of(frame, household)
        households.require_alike(frame, alike, self.kind())
        places = self._places(table, households, risk_columns)
        exchange = Exchange(places, rng)
        if len(places.member):
            exchange.force(self.k or 0)
            exchange.fill(self.swap_share)
        source = exchange.source_rows(households)
        moved = frame.with_columns(frame[name].gather(source) for name in self.touches(table))
        facts: dict[str, Any] = {
            "n_households": len(households.first),
            "n_left_aside": len(households.first) - len(places.member),
            **exchange.facts(self.hierarchy, self.swap_share),
            **change_facts(frame, moved, self.touches(table)),
        }
        return Outcome(table.with_frame(moved), facts)

    def _risk_columns(self, table: Table) -> tuple[str, ...]:
        keys = self.risk_columns or table.roles.quasi_identifiers
        columns = tuple(name for name in keys if name not in self.hierarchy)
        if self.k is not None and not columns:
            raise InputError(
                "Step 'swap_records' with k needs risk_columns, or quasi-identifiers outside "
                "the hierarchy. Name the columns an intruder may know."
            )
        return columns

    def _places(
        self, table: Table, households: Households, risk_columns: tuple[str, ...]
    ) -> Places:
        """What the exchange needs to know about the households that take part."""
        codes = table.frame.select(self.hierarchy)[households.first]
        there = codes.select(pl.all_horizontal(pl.all().is_not_null())).to_series()
        member = np.flatnonzero(there.to_numpy()) if codes.height else np.arange(0)
        if self.codes_nest:
            _refuse_crossing(codes.filter(there), self.hierarchy)
        levels = range(1, len(self.hierarchy) + 1)
        area = [
            seen_order(pack(codes, self.hierarchy[:n]).values[member])[0].astype(np.int32)
            for n in levels
        ]
        if len(member) and int(area[-1].max()) == 0:
            raise InputError(
                "All {n_member} households lie in one area of '{hierarchy}', so none can be "
                "swapped. Name columns of smaller areas.",
                n_member=len(member),
                hierarchy=self.hierarchy[-1],
            )
        class_size = [
            self._class_sizes(table, households, [*risk_columns, *self.hierarchy[:n]])[member]
            if risk_columns
            else np.ones(len(member), dtype=np.int64)
            for n in levels
        ]
        group = self._groups(table.frame, households, member)
        return Places(member, area, class_size, group)

    @staticmethod
    def _class_sizes(table: Table, households: Households, columns: Sequence[str]) -> Longs:
        """The smallest class of any member of each household."""
        classes = Classes.of(table, columns)
        return households.smallest(classes.of_records(classes.record_counts))

    def _groups(
        self, frame: pl.DataFrame, households: Households, member: Longs
    ) -> np.ndarray[Any, np.dtype[np.int32]]:
        """(profiles, households): equal numbers for similar households."""
        heads = frame[households.first[member]]
        groups = []
        for profile in self.similar or ((),):
            packed = pack(heads, profile).values
            if self.same_size:
                _, packed = np.unique(packed, return_inverse=True)
                packed = packed * (int(households.size.max(initial=0)) + 1)
                packed = packed + households.size[member]
            groups.append(np.unique(packed, return_inverse=True)[1])
        return np.array(groups, dtype=np.int32).reshape(len(groups), len(member))


def _refuse_crossing(codes: pl.DataFrame, hierarchy: Sequence[str]) -> None:
    """Raise an error if a code of smaller areas belongs to several larger ones."""
    for larger, smaller in pairwise(hierarchy):
        pairs = pl.DataFrame({"up": codes[larger], "down": codes[smaller]}).unique()
        n_crossing = pairs.height - pairs["down"].n_unique()
        if n_crossing:
            n_codes = int(pairs["down"].is_duplicated().sum()) - n_crossing
            raise ColumnError(
                "{n_codes} codes of '{smaller}' belong to more than one area of '{larger}'. "
                "Name the hierarchy's columns from the largest areas to the smallest, or set "
                "codes_nest to false if codes are renumbered in each larger area.",
                n_codes=n_codes,
                smaller=smaller,
                larger=larger,
            )


def _whole_people(table: Table, alike: Sequence[str]) -> str | None:
    """The entity, if nobody's rows differ in what moves: people then move as households do."""
    entity = table.roles.entity
    if entity not in table.columns or not set(alike) <= set(table.columns):
        return None
    found = person_level(table, alike)
    return entity if found is not None and len(found[1]) == len(alike) else None
