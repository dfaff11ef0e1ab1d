"""Subject: what is measured, and how its rows, missing keys and labels are interpreted."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from microveil.errors import InputError, MicroveilError
from microveil.measures.evidence import AppliedRecipe, no_evidence
from microveil.pairs.alignment import common_columns, is_paired
from microveil.pairs.known_columns import has_known_numbers
from microveil.pairs.numbers import has_numbers
from microveil.pairs.reading import Reading
from microveil.tables import Missing, Table

if TYPE_CHECKING:
    from microveil.hierarchies import HierarchyBuilder


@dataclass(frozen=True, eq=False)
class Subject:
    """A release with its original, or a table alone."""

    original: Table | None
    """None for a table on its own."""
    released: Table
    control: Table | None = None
    """Records from the same population that were not used for the release."""
    aligned: bool = True
    """Whether it is known which row of the original became which row of the release."""
    missing: Missing = "category"
    """How a missing key is treated."""
    recipe: AppliedRecipe | None = None
    """The recipe that made the release, if known."""

    @classmethod
    def alone(cls, table: Table, missing: Missing = "category") -> Subject:
        """A table on its own."""
        return cls(None, table, missing=missing)

    @classmethod
    def of(
        cls,
        original: Table,
        released: Table,
        recipe: AppliedRecipe | None = None,
        *,
        control: Table | None = None,
        aligned: bool | None = None,
    ) -> Subject:
        """A release and its original, interpreted as its recipe prescribes if there is one."""
        if aligned is None:
            aligned = is_paired(original, released)
        missing: Missing = "category" if recipe is None else recipe.missing_keys
        return cls(original, released, control, aligned, missing, recipe)

    @classmethod
    def made_by(
        cls, recipe: AppliedRecipe, original: Table, released: Table, *, aligned: bool | None = None
    ) -> Subject:
        """A recipe's result, interpreted as the recipe prescribes."""
        return cls.of(original, released, recipe, aligned=aligned)

    @cached_property
    def no_evidence(self) -> str:
        """Why class sizes are not valid evidence here; empty if they are."""
        return "" if self.original is None else no_evidence(self.recipe, self.original)

    @cached_property
    def has_numbers(self) -> bool:
        """Whether a column is numeric before, and holds numbers or their labels after."""
        if self.original is None:
            return False
        return has_numbers(self.original, self.released) or has_numbers(
            self.original, self.reading.numbered
        )

    @cached_property
    def has_known_numbers(self) -> bool:
        """Whether a column that an intruder may know is numeric in both tables."""
        return self.original is not None and has_known_numbers(self.reading)

    @cached_property
    def hierarchies(self) -> Mapping[str, HierarchyBuilder]:
        """The recipe's hierarchies for columns in both tables, where they fit."""
        if self.recipe is None or self.original is None:
            return {}
        there = set(common_columns(self.original, self.released))
        with self.in_its_folder():
            return {
                name: builder
                for name, builder in self.recipe.hierarchies.items()
                if name in there
                and self._n_recodings(name) <= 1
                and _fits(builder, self.original, name)
            }

    def _n_recodings(self, name: str) -> int:
        """How many steps recoded a column: the tree of one does not say what others made of it."""
        return 0 if self.original is None else len(self.reading.recoders(name))

    @cached_property
    def reading(self) -> Reading:
        """Both tables as all measures read them."""
        if self.original is None:
            raise InputError("compares a release with its original")
        return Reading(self.original, self.released, self.control, self.aligned, self.recipe)

    def in_its_folder(self) -> AbstractContextManager[None]:
        """Within this block, resolve files named in the recipe against its folder."""
        return nullcontext() if self.recipe is None else self.recipe.beside_its_files()


def _fits(builder: HierarchyBuilder, original: Table, name: str) -> bool:
    """Whether a hierarchy can be built on the original: a step may have built it on labels."""
    try:
        builder.build(original.frame[name])
    except MicroveilError:
        return False
    return True
