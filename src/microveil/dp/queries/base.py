"""Query: a question to a private table, as a frozen spec."""

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
    """A question: what is wanted, of which rows, broken down by which columns."""

    tag: ClassVar[str] = "query"

    where: Where = None
    """Which rows are meant: ``age >= 30 AND region IN ('north', 'east')``."""
    by: Columns = ()
    """Columns to break the answer down by: with public keys, or with private ones, of which only
    the frequent show (that costs δ)."""
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
    def asked(self) -> tuple[str, ...]:
        """The columns the answer is computed from, without those of ``where`` and ``by``."""

    @abstractmethod
    def part(self, declaration: Declaration) -> Part:
        """What is to be released with noise, and how the answer follows from it.

        Raises :class:`~microveil.errors.QueryError` when the declaration lacks a column, a bound
        or a key.
        """

    @abstractmethod
    def words(self) -> str:
        """What is asked, in words and without the filter: ``mean of income``."""

    def touched(self) -> tuple[str, ...]:
        """Every column the question looks at, each once."""
        return tuple(dict.fromkeys((*self.asked(), *self.by, *filter_columns(self.where))))

    def check(self, declaration: Declaration) -> Part:
        """Raise unless the declaration allows the question; else what is to be released."""
        from microveil.dp.predicates import check_filter

        for name in self.join:
            declaration.public_table(name)
        for name in self.touched():
            declaration.column(name, self.join)
        check_filter(self.where, declaration, self.join)
        return self.part(declaration)

    def canonical(self) -> str:
        """One text for one question: equal questions give equal texts."""
        plain: dict[str, Any] = self.to_dict()
        if "join" in plain:
            plain["join"] = sorted(plain["join"])
        return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)

    def describe(self) -> str:
        """What is asked, of which rows and broken down by what, in words."""
        text = self.words()
        if self.where is not None:
            text += f" where {self.where}"
        return f"{text} by {', '.join(self.by)}" if self.by else text
