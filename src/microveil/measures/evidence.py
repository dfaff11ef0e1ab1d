"""When class sizes are not valid evidence of risk: after the key values have been perturbed.

After noise, swapping or PRAM, two records that look alike need not have been alike, and a record
that looks unique may hold a combination that nobody ever had. There is one rule, stated here: a
perturbed quasi-identifier that is still released invalidates class sizes. A perturbed sensitive
column does not, because classes are counted by quasi-identifiers alone. Results about its *values*,
such as l-diversity, then refer to perturbed values, which is reported separately.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

from microveil.tables import Missing, Roles, Table
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.hierarchies import HierarchyBuilder


class Step(Protocol):
    """What measures need to know about a step."""

    @classmethod
    def kind(cls) -> str:
        """Its name in recipes."""

    @property
    def perturbative(self) -> bool:
        """Whether values may be wrong after the step."""

    def touches(self, table: Table) -> tuple[str, ...]:
        """The columns it changes."""


class AppliedRecipe(Protocol):
    """What measures need to know about the recipe that made a release."""

    @property
    def roles(self) -> Roles:
        """The role of each column of the original."""

    @property
    def steps(self) -> Sequence[Any]:
        """The steps that were applied, each a :class:`Step`."""

    @property
    def missing_keys(self) -> Missing:
        """How a missing key is treated."""

    @property
    def hierarchies(self) -> Mapping[str, HierarchyBuilder]:
        """How values were generalised, by column."""

    def beside_its_files(self) -> AbstractContextManager[None]:
        """Within this block, resolve files named in the recipe against its folder."""


def perturbed_columns(plan: AppliedRecipe, original: Table) -> dict[str, tuple[int, ...]]:
    """Columns whose released values may be wrong, and the steps (from 0) that changed them."""
    changed: dict[str, tuple[int, ...]] = {}
    for place, step in enumerate(plan.steps):
        touched = set(step.touches(original))
        if step.kind() == "drop":
            changed = {name: places for name, places in changed.items() if name not in touched}
        elif step.perturbative:
            changed |= {
                name: (*changed.get(name, ()), place)
                for name in original.columns
                if name in touched
            }
    return changed


def perturbed_keys(plan: AppliedRecipe, original: Table) -> dict[str, tuple[int, ...]]:
    """Quasi-identifiers, in any scenario, whose released values may be wrong."""
    keys = {name for names in plan.roles.key_sets().values() for name in names}
    found = perturbed_columns(plan, original)
    return {name: places for name, places in found.items() if name in keys}


def no_evidence(plan: AppliedRecipe | None, original: Table) -> str:
    """Why class sizes are not valid evidence after a recipe; empty if they are."""
    keys = {} if plan is None else perturbed_keys(plan, original)
    if plan is None or not keys:
        return ""
    places = sorted({place for some in keys.values() for place in some})
    kinds = dict.fromkeys(plan.steps[place].kind() for place in places)
    return Message(
        "measures.class_sizes_say_little",
        "class sizes say little once quasi-identifiers are perturbed ({steps}); see "
        "record linkage and the attacks",
        steps=kinds,
    )
