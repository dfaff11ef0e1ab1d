"""UtilityMeasure: what the protection cost."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from microveil.errors import InputError
from microveil.specs import Spec
from microveil.tables import Roles, Table, as_table

if TYPE_CHECKING:
    from microveil.scores import Score


class UtilityMeasure(Spec, ABC):
    """What the protection cost, seen by laying the release beside its original."""

    tag: ClassVar[str] = "name"
    needs_alignment: ClassVar[bool] = False
    """Whether row i of the release must be row i of the original (or the row link known)."""

    @abstractmethod
    def score(self, original: Table, released: Table) -> Score:
        """Work the score out; :func:`aligned` pairs the rows where the measure needs it."""

    def measure(self, original: Any, released: Any, *, roles: Roles | None = None) -> Score:
        """Score a release against its original, any data frames."""
        return self.score(as_table(original, roles), released_table(released, roles))


def released_table(released: Any, roles: Roles | None) -> Table:
    """The release read with those of the roles whose columns it still has."""
    if roles is None or isinstance(released, Table):
        return as_table(released)
    bare = Table(released)
    return bare.with_roles(roles.without(set(roles.named) - set(bare.columns)))


def aligned(original: Table, released: Table) -> Table:
    """The original's rows that the release kept, in the release's order."""
    if released.rows is not None:
        return original.take(released.rows)
    if original.height != released.height:
        raise InputError(
            f"The release has {released.height} rows and the original {original.height}, so rows "
            "cannot be laid side by side. Compare before rows are dropped, or measure the Release."
        )
    return original


def common_columns(original: Table, released: Table) -> list[str]:
    """Columns that both tables have, in the original's order."""
    there = set(released.columns)
    return [name for name in original.columns if name in there]


def share(part: float, whole: float) -> float:
    """``part / whole``; 0 of nothing."""
    return float(np.divide(part, whole)) if whole else 0.0
