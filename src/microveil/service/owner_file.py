"""The owner's file: public knowledge about a table, and the terms on which it may be queried."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any, Self

from pydantic import Field, model_validator

from microveil.dp import Declaration, Loss
from microveil.errors import InputError, SpecError
from microveil.files.texts import parsed_yaml, read_text
from microveil.specs import Spec

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


class Terms(Spec):
    """The terms on which a data set may be queried."""

    budget: Loss
    """What all analysts together may spend: ``{epsilon: 3}``, ``{epsilon: 3, delta: 1e-6}`` or
    ``{rho: 0.1}``. It also bounds the loss to analysts who collude."""
    analyst_budget: Loss
    """What each analyst may spend, in the same currency."""
    expires: date | None = None
    """Last day on which queries are answered."""
    complete: tuple[str, ...] = ()
    """Columns publicly known to have one of their keys in every row; rows without one are left
    out. Groups by such columns add up to the total, so that more answers are free."""
    tables: Mapping[str, str] = Field(default_factory=dict)
    """Files of the public tables that the declaration names."""

    @model_validator(mode="after")
    def _one_currency(self) -> Self:
        for name in ("budget", "analyst_budget"):
            loss = getattr(self, name)
            if bool(loss.epsilon) == bool(loss.rho):
                raise ValueError(f"{name}: give either epsilon (with or without delta) or rho.")
        if bool(self.budget.rho) != bool(self.analyst_budget.rho):
            raise ValueError("Both budgets must be in the same currency.")
        return self

    @property
    def ends(self) -> datetime | None:
        """The end of the last day, in UTC."""
        if self.expires is None:
            return None
        return datetime.combine(self.expires, time.max, tzinfo=UTC)


class OwnerFile(Spec):
    """A declaration with the terms of the service."""

    declaration: Declaration
    terms: Terms

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read ``survey.yaml``: a declaration with a section ``service`` for the terms."""
        return cls.of(parsed_yaml(read_text(path), str(path)), str(path))

    def beside(self, path: Path) -> Self:
        """The file with the paths of its public tables resolved relative to it."""
        folder = path.resolve().parent
        tables = {name: str(folder / file) for name, file in self.terms.tables.items()}
        return self.model_copy(update={"terms": self.terms.model_copy(update={"tables": tables})})

    @classmethod
    def of(cls, raw: Any, source: str | None = None) -> Self:
        """Build from plain data; problems of both parts are reported."""
        if not isinstance(raw, dict) or not isinstance(raw.get("service"), dict):
            raise SpecError(
                ["Add the terms: `service: {budget: {epsilon: …}, analyst_budget: {epsilon: …}}`."],
                source,
            )
        rest = {name: value for name, value in raw.items() if name != "service"}
        declaration = Declaration.parse(rest, source)
        checked_name(declaration.name)
        terms = Terms.parse(raw["service"], source and f"{source}, service")
        for name in terms.complete:
            if name not in declaration.columns or not declaration.keys_of(name):
                raise SpecError([f"service.complete: '{name}' is not a column with keys."], source)
        for name in declaration.tables:
            if name not in terms.tables:
                raise SpecError([f"service.tables: give the file of '{name}'."], source)
        return cls(declaration=declaration, terms=terms)


def checked_name(name: str) -> str:
    """A name of a data set, an analyst or a group: letters, digits, ``_`` and ``-``."""
    if not _NAME.fullmatch(name):
        raise InputError(
            "A name begins with a letter, has letters, digits, '_' and '-', and 64 characters at "
            "most."
        )
    return name
