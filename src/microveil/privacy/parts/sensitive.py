"""SensitiveModel: a requirement on the sensitive values of every class."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np

from microveil.errors import InputError
from microveil.privacy.parts.base import Check, PrivacyModel
from microveil.privacy.parts.distribution import Distribution, classes_beside, distribution

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.tables import Classes, Roles

ROUNDING = 1e-12
"""Numbers closer to a limit than this count as equal to it: floats cannot separate them."""


class Judged(NamedTuple):
    """What one sensitive column achieves in each class, and which classes fail."""

    reached: NDArray[np.float64] | NDArray[np.int64]
    broken: NDArray[np.bool_]
    note: str | None = None
    """What a reader must know about how values were counted."""


class SensitiveModel(PrivacyModel):
    """A requirement on the sensitive values of every class; each named column must meet it."""

    better: ClassVar[Literal["higher", "lower"]] = "lower"
    """Whether higher or lower values are safer."""
    column: str | tuple[str, ...] | None = None
    """Sensitive column, or several that must each meet the requirement; by default every
    sensitive column of the roles."""

    def reads(self, roles: Roles) -> tuple[str, ...]:
        """The sensitive columns the model applies to."""
        if self.column is None:
            return roles.sensitive
        return (self.column,) if isinstance(self.column, str) else self.column

    def verify(self, classes: Classes) -> Check:
        """Judge each class by its worst sensitive column."""
        verdicts = {name: self._beside(classes, name) for name in self._columns(classes)}
        broken_in = np.flatnonzero(np.any([one.broken for one in verdicts.values()], axis=0))
        worst = {name: self._worst(verdict) for name, verdict in verdicts.items()}
        pick = min if self.better == "higher" else max
        return Check(
            model=self.kind(),
            title=self.title,
            required=self.required,
            achieved=pick(worst.values()),
            broken_in=broken_in,
            n_broken=int(classes.record_counts[broken_in].sum()),
            n_records=classes.n_records,
            parts=worst if len(worst) > 1 else {},
            notes=tuple(dict.fromkeys(one.note for one in verdicts.values() if one.note)),
        )

    @property
    @abstractmethod
    def title(self) -> str:
        """The requirement in words."""

    @property
    @abstractmethod
    def required(self) -> float:
        """Value that every class must reach, or must not exceed."""

    @abstractmethod
    def judge(self, found: Distribution) -> Judged:
        """Value that each class achieves, and whether it is enough."""

    def _beside(self, classes: Classes, column: str) -> Judged:
        """Judge by the other keys where the column is a key, too: nobody knows what he seeks."""
        others, place = classes_beside(classes, column)
        verdict = self._judge_column(others, column)
        if others is classes:
            return verdict
        return verdict._replace(reached=verdict.reached[place], broken=verdict.broken[place])

    def _judge_column(self, classes: Classes, column: str) -> Judged:
        return self.judge(distribution(classes, column))

    def _columns(self, classes: Classes) -> tuple[str, ...]:
        if self.column is not None:
            columns = (self.column,) if isinstance(self.column, str) else self.column
        else:
            columns = () if classes.table is None else classes.table.roles.sensitive
        if not columns:
            raise InputError(
                "{kind} needs a sensitive column: name it as `column`, or list it in "
                "roles.sensitive.",
                kind=self.kind(),
            )
        return columns

    def _worst(self, verdict: Judged) -> float:
        """The worst value over all classes; 0 for an empty table."""
        if not len(verdict.reached):
            return 0
        worst = verdict.reached.min() if self.better == "higher" else verdict.reached.max()
        value: float = worst.item()
        return value
