"""LinkedSynthesis: how linked tables are drawn, and what must hold between them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Self

from pydantic import Field, model_validator

from microveil.specs import Spec
from microveil.synthesis.cart import Cart
from microveil.synthesis.parts.registry import AnyGenerator
from microveil.tables.roles import Columns

_RULE = re.compile(r"^\s*([^.<>=]+)\.([^<>=]+?)\s*(<=|>=|<|>|==)\s*([^.<>=]+)\.([^<>=]+?)\s*$")


class TableRule(Spec):
    """A comparison of a row with itself or with a row above it, which holds in every row.

    A missing cell on either side satisfies it.

    >>> str(TableRule.parse("visits.day<=patients.death"))
    'visits.day <= patients.death'
    """

    table: str
    """Table whose rows are compared."""
    column: str
    """Its column."""
    sign: str
    """How the sides compare."""
    to: str
    """The same table, or one that its links lead to."""
    with_column: str
    """Its column."""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, raw: object) -> object:
        if not isinstance(raw, str):
            return raw
        found = _RULE.match(raw)
        if found is None:
            raise ValueError("A rule reads like visits.day <= patients.death.")
        names = ("table", "column", "sign", "to", "with_column")
        return dict(zip(names, found.groups(), strict=True))

    def __str__(self) -> str:
        """As it is written in recipes."""
        return f"{self.table}.{self.column} {self.sign} {self.to}.{self.with_column}"


class LinkedSynthesis(Spec):
    """How synthetic tables are drawn in the place of real ones."""

    generator: AnyGenerator = Cart()
    """Generator of rows; one that can draw columns given others."""
    n_people: int | None = Field(default=None, ge=1)
    """Rows to draw of the table at the top; by default as many as there are."""
    order: Mapping[str, str] = Field(default_factory=dict)
    """Column that orders the rows of one parent, by table: rows are drawn one after the other, each
    given the one before, and never earlier."""
    wholes: Columns = ()
    """Tables above people that are drawn, such as households; other tables above them are lists of
    codes and stay as they are."""
    rules: tuple[TableRule, ...] = ()
    """What holds in every row: ``visits.day <= patients.death``."""

    @model_validator(mode="after")
    def _can_be_given(self) -> Self:
        if not self.generator.takes_given or self.generator.private:
            raise ValueError(
                "Linked tables need a generator that draws rows given others, without budget: "
                "cart, boosted, copula or bootstrap."
            )
        return self
