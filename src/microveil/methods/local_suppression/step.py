"""Suppress single cells until k records share every combination of keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field, model_validator

from microveil.arrays import Ints
from microveil.errors import ColumnError, GoalNotReachedError, InputError, RolesError
from microveil.methods.local_suppression.blanking import SizeRequirement, blank_until_safe
from microveil.methods.local_suppression.groups import (
    Group,
    cells_together,
    for_all,
    shared_columns,
)
from microveil.methods.local_suppression.people import People
from microveil.methods.local_suppression.rows import coded_keys
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import usable_frame
from microveil.methods.parts.households import HouseholdColumns, Households, household_level
from microveil.methods.parts.strata import strata_rows
from microveil.tables import Missing, Table
from microveil.tables.people import closed_up
from microveil.tables.roles import Columns
from microveil.texts import Message

MOST_KEYS = 62
MOST_SUBSETS = 10_000
TIE_BREAK = 1e-6
"""Discount for columns with more values: just enough to break ties."""

K = Annotated[int, Field(ge=2)]


class LocalSuppression(Method):
    """Suppress as few cells as possible so that at least k records share every key combination.

    Only quasi-identifiers are suppressed, and the remaining values are true. A missing cell is a
    value of its own: rare records are gathered in classes that share their missing cells, and if
    there are too few, records of larger classes join them. If missing is a wildcard (as in
    sdcMicro), only records that are rare themselves lose cells, and none more than it needs to be
    safe on its own. A suppressed record also counts for others, so the choice is a covering
    problem, solved greedily by cost and then pruned. Every key set of the roles, every subset size
    and every stratum is covered, with repeated passes until none is violated. If the roles name an
    entity, k people share each combination; if the table still shows whose the rows are, k people
    share all their rows. What nearly all persons have in common in their rows (sex, birth) is
    suppressed in all rows of a person. The result is deterministic. Time grows with rare
    combinations × sets of columns (at most 255); if these are too many for memory, rare
    combinations are made safe in several passes.

    >>> step = LocalSuppression(k=2, columns=["sex", "age"])
    >>> people = {"sex": ["f", "f", "m", "m", "m"], "age": [30, 30, 40, 40, 50]}
    >>> step.protect(people)["age"].to_list()
    [30, 30, None, None, None]
    >>> step.model_copy(update={"missing": "wildcard"}).protect(people)["age"].to_list()
    [30, 30, 40, 40, None]
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("household_columns", "missing")
    method: Literal["local_suppression"] = "local_suppression"
    k: K | None = None
    """Smallest number of records (people, if the roles name an entity) that may share their keys;
    optional if subsets are given."""
    importance: Mapping[str, Annotated[float, Field(ge=1e-6, le=1e6)]] = Field(default_factory=dict)
    """Importance of each key: those with a larger value are kept, those with a smaller one
    suppressed first; 1 by default. sdcMicro's numbers work the other way round. In a tie, the key
    with more distinct values is suppressed."""
    subsets: Mapping[Annotated[int, Field(ge=1)], K] = Field(default_factory=dict)
    """Sizes of subsets of the keys, each with the k that all such subsets must reach: ``{3: 5}``
    for an intruder who knows any three keys."""
    columns: Columns = ()
    """Keys to count by; by default those of the roles (and of their scenarios)."""
    missing: Missing | None = None
    """How a missing cell is treated: as a value of its own (category), or as matching any value
    (wildcard, as in sdcMicro), which guarantees less and suppresses less. By default as the recipe
    does, and category outside a recipe."""
    by_strata: bool = True
    """Whether k must hold within each of the roles' strata; has no effect without strata."""
    household_columns: HouseholdColumns = None
    """Keys that describe a household as a whole and are suppressed for all its members if for one,
    if the roles name a household; by default those in which nearly all households agree (90 %)."""
    max_share: float | None = Field(default=None, ge=0, le=1)
    """Largest share of the keys' cells that may be suppressed; beyond it the step fails."""

    @model_validator(mode="after")
    def _some_k(self) -> Self:
        if self.k is None and not self.subsets:
            raise ValueError("Give k, or subsets with a k each.")
        return self

    def touches(self, table: Table) -> tuple[str, ...]:
        """All keys, including those of scenarios."""
        if self.columns:
            return self.columns
        return tuple(
            dict.fromkeys(name for keys in table.roles.key_sets().values() for name in keys)
        )

    @property
    def draws(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  nothing is left to chance
        """Suppress cells; the facts count them by column."""
        key_sets = self._key_sets(table)
        keys = tuple(dict.fromkeys(name for names in key_sets for name in names))
        frame = usable_frame(table, keys, self.kind()).select(keys)
        self._check(table, keys)
        requirements = self._requirements(key_sets, keys)
        pieces = strata_rows(table, (), apart=self.by_strata)
        people = None if table.people is None else People(closed_up(table.people), table.linked)
        strata = table.roles.strata if self.by_strata else ()
        self._refuse_few(pieces, people, requirements, strata)
        codes = coded_keys(frame)
        groups = self._groups(table, keys, codes, people)
        blank = self._blank(codes, keys, requirements, pieces, people, groups)
        self._refuse_many(blank)
        gone = {name: blank[:, number] for number, name in enumerate(keys)}
        facts = _facts(frame, blank) | _group_facts(keys, groups, people)
        return Outcome(table.with_columns(_blank_cells(frame, gone)), facts)

    def blank_cells(self, codes: Ints, keys: tuple[str, ...]) -> NDArray[np.bool_]:
        """Which cells of coded keys are suppressed, where every row is a person in one stratum."""
        return self._blank(codes, keys, self._requirements([keys], keys), [], None, {})

    def _groups(
        self, table: Table, keys: tuple[str, ...], codes: Ints, people: People | None
    ) -> dict[str, Group]:
        """The records of a person, and of a household, with the keys that they share."""
        groups = {}
        if people is not None and people.n < table.height:
            shared = shared_columns(codes, people.of_record)
            groups["person"] = Group(people.of_record, shared)
        named = household_level(table, keys, self.household_columns, self.kind())
        households = Households.of(table)
        if households is not None:
            shared = shared_columns(codes, households.of_record)
            if self.household_columns is not None:
                shared = tuple(keys.index(name) for name in (named[1] if named else ()))
            if shared:
                groups["household"] = Group(households.of_record, shared)
        return groups

    def _blank(
        self,
        codes: Ints,
        keys: tuple[str, ...],
        requirements: list[SizeRequirement],
        pieces: list[Ints],
        people: People | None,
        groups: Mapping[str, Group],
    ) -> NDArray[np.bool_]:
        """Which cells are suppressed; a suppression in one record of a group applies to all."""
        there = codes >= 0
        costs = self._costs(codes, keys) * cells_together(codes.shape[1], list(groups.values()))
        missing = self.missing or "category"
        apart = [rows for rows in pieces if len(rows) < len(codes)]
        whole = len(codes) > 0 and (not apart or (people is not None and people.linked))
        while True:
            before = codes
            if apart:
                codes = codes.copy()
            for rows in apart:
                own = None if people is None else people.at(rows)
                codes[rows] = blank_until_safe(codes[rows], requirements, costs, missing, own)
            if whole:
                codes = blank_until_safe(codes, requirements, costs, missing, people)
            if not (apart and whole):
                before = codes  # holds for all: only what follows may violate it
            codes = for_all(codes, there, list(groups.values()))
            # More suppression may violate what held; it only ever grows, so this terminates.
            if np.array_equal(before, codes):
                return np.asarray((codes < 0) & there)

    def _key_sets(self, table: Table) -> list[tuple[str, ...]]:
        if self.columns:
            return [tuple(dict.fromkeys(self.columns))]
        key_sets = [keys for keys in table.roles.key_sets().values() if keys]
        if not key_sets:
            raise RolesError(
                "Step 'local_suppression' needs keys to count by: name quasi_identifiers in "
                "the roles, or columns in the step."
            )
        return key_sets

    def _check(self, table: Table, keys: tuple[str, ...]) -> None:
        table.require(self.importance)
        strange = [name for name in self.importance if name not in keys]
        if strange:
            raise ColumnError(
                "Importance is given for {strange:quoted}, which is not one of the keys "
                "({keys:quoted}). Leave it out, or add it to the keys.",
                strange=strange,
                keys=keys,
            )
        if len(keys) > MOST_KEYS:
            raise ColumnError(
                "Step 'local_suppression' can use at most {most_keys} keys, not {n_keys}. "
                "Leave some out, or generalize them to `*` first.",
                most_keys=MOST_KEYS,
                n_keys=len(keys),
            )

    def _requirements(
        self, key_sets: list[tuple[str, ...]], keys: tuple[str, ...]
    ) -> list[SizeRequirement]:
        """The requirements: the largest k for each set of keys."""
        requirements: dict[tuple[int, ...], int] = {}
        for names in key_sets:
            numbers = tuple(keys.index(name) for name in names)
            if self.k is not None:
                requirements[numbers] = max(self.k, requirements.get(numbers, 0))
            for size, k in self.subsets.items():
                _refuse_size(size, names)
                for subset in combinations(numbers, size):
                    requirements[subset] = max(k, requirements.get(subset, 0))
        return [SizeRequirement(numbers, k) for numbers, k in requirements.items()]

    def _refuse_few(
        self,
        pieces: list[Ints],
        people: People | None,
        requirements: list[SizeRequirement],
        strata: Sequence[str],
    ) -> None:
        most = max(requirement.k for requirement in requirements)
        noun = (
            Message("noun.records", "records")
            if people is None
            else Message("noun.people", "people")
        )
        heights = [len(rows) if people is None else people.at(rows).n for rows in pieces]
        few = [height for height in heights if 0 < height < most]
        if few and strata:
            raise InputError(
                "{n_few} of {n_heights} strata have fewer than k = {most} {noun}, so no "
                "suppression can make them safe. Join strata, lower k, or set by_strata to "
                "false.",
                n_few=len(few),
                n_heights=len(heights),
                most=most,
                noun=noun,
            )
        if few:
            raise InputError(
                "The table has {few} {noun}, fewer than k = {most}: no suppression can make "
                "it safe. Lower k, or release no table.",
                few=few[0],
                noun=noun,
                most=most,
            )

    def _refuse_many(self, blank: NDArray[np.bool_]) -> None:
        share = float(blank.mean()) if blank.size else 0.0
        if self.max_share is not None and share > self.max_share:
            raise GoalNotReachedError(
                Message(
                    "methods.step_local_suppression_would",
                    "Step 'local_suppression' would suppress {n} of {size} cells of the keys "
                    "({share:%}), more than max_share allows ({max_share:%}). Generalize the "
                    "quasi-identifiers further first, or allow a larger share.",
                    n=int(blank.sum()),
                    size=blank.size,
                    share=share,
                    max_share=self.max_share,
                )
            )

    def _costs(self, codes: Ints, keys: tuple[str, ...]) -> NDArray[np.float64]:
        """Cost of a cell of each key; with equal importance, lower for more distinct values."""
        n_values = np.array([np.count_nonzero(np.bincount(column + 1)[1:]) for column in codes.T])
        rank = np.empty(len(keys))
        rank[np.argsort(-n_values, kind="stable")] = np.arange(len(keys))
        importance = np.array([self.importance.get(name, 1.0) for name in keys])
        # Only ratios count; scaled to a common size, their sums are rounded alike.
        costs: NDArray[np.float64] = importance / importance.min()
        return costs * (1 + TIE_BREAK * rank / len(keys))


def _refuse_size(size: int, names: tuple[str, ...]) -> None:
    if size > len(names):
        raise InputError(
            "There are no subsets of {size} keys among {n_names} ({names:quoted}). Leave "
            "that size out of subsets.",
            size=size,
            n_names=len(names),
            names=names,
        )
    if comb(len(names), size) > MOST_SUBSETS:
        raise InputError(
            "{n_names} keys have {comb} subsets of {size}, more than the {most_subsets} that "
            "can be handled. Use fewer keys, or k alone.",
            n_names=len(names),
            comb=comb(len(names), size),
            size=size,
            most_subsets=MOST_SUBSETS,
        )


def _blank_cells(frame: pl.DataFrame, gone: Mapping[str, NDArray[np.bool_]]) -> list[pl.Series]:
    """The changed columns, each in its own type."""
    return [
        frame[name].to_frame().select(pl.when(~pl.Series(flags)).then(pl.col(name))).to_series()
        for name, flags in gone.items()
        if flags.any()
    ]


def _facts(frame: pl.DataFrame, blank: NDArray[np.bool_]) -> dict[str, Any]:
    cells = dict(zip(frame.columns, blank.sum(axis=0).tolist(), strict=True))
    return {
        "n_suppressed_cells": int(blank.sum()),
        "n_suppressed_by_column": cells,
        "suppressed_share": {name: n / max(frame.height, 1) for name, n in cells.items()},
        "n_records_touched": int(blank.any(axis=1).sum()),
        "n_missing": {name: frame[name].null_count() for name in frame.columns},
    }


def _group_facts(
    keys: tuple[str, ...], groups: Mapping[str, Group], people: People | None
) -> dict[str, Any]:
    """Who was counted, and which columns were suppressed for a whole person or household."""
    facts: dict[str, Any] = {} if people is None else {"n_people": people.n}
    names = {of: [keys[number] for number in group.columns] for of, group in groups.items()}
    if "person" in groups:
        facts["person_columns"] = names["person"]
    if "household" in groups:
        facts |= {"household_columns": names["household"], "n_households": groups["household"].n}
    return facts
