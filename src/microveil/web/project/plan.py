"""Plan: roles, steps that may be switched off, and requirements; what undo goes back to."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, TypeAlias

from microveil.methods import METHODS, Method
from microveil.privacy import KAnonymity, PrivacyModel
from microveil.recipes import MeasureRequirement, Recipe
from microveil.recipes.across_releases import AcrossReleases
from microveil.recipes.measure_requirement import REQUIREMENTS
from microveil.specs import Spec, identity_of
from microveil.tables import Missing, Roles
from microveil.tables.roles import Columns

BY_KEY = ("hierarchies", "levels", "max_levels", "min_levels", "weights")
"""Settings of steps that may name none but keys."""


Requirement: TypeAlias = PrivacyModel | MeasureRequirement | AcrossReleases


def _what_is_limited(requirement: Requirement) -> str:
    """The model, or the measure."""
    spec = requirement.spec if isinstance(requirement, MeasureRequirement) else requirement
    return spec.kind()


class Item(Spec):
    """One step of a plan."""

    step: Annotated[Method, METHODS]
    """What is done."""
    on: bool = True
    """Whether the step counts; a step that is switched off keeps its place."""


class ProjectPlan(Spec):
    """Everything decided about a table; it holds no cell of it."""

    roles: Roles = Roles()
    """What each column means for disclosure."""
    items: tuple[Item, ...] = ()
    """Steps in their order."""
    require: tuple[Annotated[PrivacyModel | MeasureRequirement, REQUIREMENTS], ...] = ()
    """What the result must keep."""
    missing: Missing | None = None
    """How a missing key is read."""
    keep: Columns = ()
    """Columns without a role that leave as they are, on purpose."""

    @property
    def recipe(self) -> Recipe:
        """The recipe of the steps that are switched on."""
        return Recipe(
            roles=self.roles,
            steps=tuple(item.step for item in self.items if item.on),
            require=self.require,
            missing=self.missing,
            keep=self.keep,
        )

    @classmethod
    def of(cls, recipe: Recipe) -> ProjectPlan:
        """The plan that a recipe writes down."""
        return cls(
            roles=recipe.roles,
            items=tuple(Item(step=step) for step in recipe.steps),
            require=recipe.require,
            missing=recipe.missing,
            keep=recipe.keep,
        )

    def with_roles(self, roles: Roles) -> ProjectPlan:
        """The same plan for other roles; steps for the keys say nothing of what is none now."""
        gone = set(self.roles.quasi_identifiers) - set(roles.quasi_identifiers)
        items = (item.model_copy(update={"step": _without(item.step, gone)}) for item in self.items)
        return self._with(roles=roles, items=tuple(items))

    def requiring(self, raw: Mapping[str, Any]) -> ProjectPlan:
        """The plan with a further requirement, as a recipe writes it."""
        (more,) = Recipe.parse({"require": [dict(raw)]}).require
        return self if more in self.require else self._with(require=(*self.require, more))

    def prefill(self, method: type[Method]) -> dict[str, Any]:
        """Fields of a step that the requirements decide: the k to reach."""
        field = method.model_fields.get("k")
        required = [one.k for one in self.require if isinstance(one, KAnonymity)]
        if field is None or not required or not field.is_required():
            return {}
        return {"k": str(max(required))}

    def requirements_with(self, more: Sequence[Requirement]) -> tuple[Requirement, ...]:
        """Some requirements, then those of the plan that limit something else."""
        limited = {_what_is_limited(one) for one in more}
        return (*more, *(one for one in self.require if _what_is_limited(one) not in limited))

    def with_require(self, require: Sequence[PrivacyModel | MeasureRequirement]) -> ProjectPlan:
        """The same plan with other requirements."""
        return self._with(require=tuple(require))

    def with_step(self, step: Method, position: int | None = None) -> ProjectPlan:
        """The plan with a further step: in place of another one, or at the end."""
        if position is None:
            return self._with(items=(*self.items, Item(step=step)))
        before, after = self.items[:position], self.items[position + 1 :]
        return self._with(items=(*before, Item(step=step), *after))

    def beginning_with(self, step: Method) -> ProjectPlan:
        """The plan with a further step before all others."""
        return self._with(items=(Item(step=step), *self.items))

    def without_step(self, position: int) -> ProjectPlan:
        """The plan without a step."""
        return self._with(items=self.items[:position] + self.items[position + 1 :])

    def move(self, position: int, by: int) -> ProjectPlan:
        """The plan with a step earlier or later, as far as there is room."""
        items = list(self.items)
        target = min(max(position + by, 0), len(items) - 1)
        items.insert(target, items.pop(position))
        return self._with(items=tuple(items))

    def switch(self, position: int) -> ProjectPlan:
        """The plan with a step switched off, or on again."""
        items = list(self.items)
        item = items[position]
        items[position] = Item(step=item.step, on=not item.on)
        return self._with(items=tuple(items))

    def keep_column(self, column: str) -> ProjectPlan:
        """The plan in which a column without a role leaves as it is."""
        return self._with(keep=(*self.keep, column))

    def _with(self, **changes: Any) -> ProjectPlan:
        return self.model_copy(update=changes)


def _without(step: Method, gone: Collection[str]) -> Method:
    """A step that works on the roles' keys, without its settings for columns that are none now."""
    if not gone or getattr(step, "columns", None) != ():
        return step
    changes = {}
    for name in BY_KEY:
        said = getattr(step, name, None)
        if isinstance(said, Mapping) and any(key in gone for key in said):
            changes[name] = {key: one for key, one in said.items() if key not in gone}
    return step.model_copy(update=changes) if changes else step


def state_keys(recipe: Recipe, data: str) -> list[str]:
    """A name for the data, and for the table after each step; equal names, equal tables.

    A step without a goal of its own works toward the requirements, so that they count, too.
    """
    keys = [_digest("", [data, recipe.roles.to_dict(), recipe.missing_keys])]
    for step in recipe.steps:
        aimed = step.toward(recipe.models, recipe.missing_keys)
        # The step as it stands draws the stream, the aimed one says what it reaches.
        keys.append(_digest(keys[-1], [step.to_dict(), aimed.to_dict()]))
    return keys


def _digest(before: str, said: object) -> str:
    return hashlib.blake2b(identity_of([before, said]).encode(), digest_size=16).hexdigest()
