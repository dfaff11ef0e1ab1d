"""Query: a query to a private table, as a frozen spec."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import model_validator

from microveil.dp.filters import Where, filter_columns
from microveil.specs import Spec
from microveil.tables.roles import Columns

if TYPE_CHECKING:
    from microveil.dp.declaration import Declaration
    from microveil.dp.parts import Part


class Query(Spec, ABC):
    """A query: what is wanted, for which rows, broken down by which columns."""

    tag: ClassVar[str] = "query"

    where: Where = None
    """The rows to use: ``age >= 30 AND region IN ('north', 'east')``."""
    by: Columns = ()
    """Columns to break the answer down by: with public keys, or with private ones, of which only
    the frequent appear (this costs δ)."""
    join: Columns = ()
    """Public tables that are joined first."""

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        for field in ("by", "join"):
            names = getattr(self, field)
            if len(set(names)) < len(names):
                raise ValueError(f"`{field}` names something twice.")
        return self

    @abstractmethod
    def answer_columns(self) -> tuple[str, ...]:
        """The columns the answer is computed from, without those of ``where`` and ``by``."""

    @abstractmethod
    def part(self, declaration: Declaration) -> Part:
        """What is released with noise, and how the answer follows from it.

        Raises :class:`~microveil.errors.QueryError` when the declaration lacks a column, a bound
        or a key.
        """

    @abstractmethod
    def words(self) -> str:
        """The query in words and without the filter: ``mean of income``."""

    def used_columns(self) -> tuple[str, ...]:
        """Every column the query uses, each once."""
        return tuple(dict.fromkeys((*self.answer_columns(), *self.by, *filter_columns(self.where))))

    def check(self, declaration: Declaration) -> Part:
        """Raise an error unless the declaration allows the query; return what is released."""
        return self.fit(declaration).part(declaration)

    def fit(self, declaration: Declaration) -> Self:
        """The query with the constants of its filter in the types of their columns.

        Raises an error if it names a column or table that is not declared.
        """
        from microveil.dp.predicates import fit_filter

        for name in self.join:
            declaration.public_table(name)
        for name in self.used_columns():
            declaration.column(name, self.join)
        if self.where is None:
            return self
        fitted = fit_filter(self.where, declaration, self.join)
        return self.model_copy(update={"where": fitted})

    def canonical(self) -> str:
        """Canonical text: equal queries give equal texts."""
        plain: dict[str, Any] = self.to_dict()
        if "join" in plain:
            plain["join"] = sorted(plain["join"])
        return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)

    def describe(self) -> str:
        """The query in words, with rows and breakdown."""
        text = self.words()
        if self.where is not None:
            text += f" where {self.where}"
        return f"{text} by {', '.join(self.by)}" if self.by else text
