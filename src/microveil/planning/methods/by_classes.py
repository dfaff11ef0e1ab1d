"""Steps whose result depends on the classes of a few columns: planned on the frequency table."""

from __future__ import annotations

import numpy as np

from microveil.hierarchies import Frequency
from microveil.methods import (
    Datafly,
    Generalize,
    GroupRare,
    Incognito,
    LocalRecoding,
    LocalSuppression,
    Method,
    Mondrian,
    OptimalGeneralization,
    Pseudonymize,
    SuppressRecords,
)
from microveil.planning.class_plan import ClassPlan, class_plan
from microveil.planning.course import Course
from microveil.tables import Roles, Table

BY_CLASS = (
    SuppressRecords,
    Datafly,
    OptimalGeneralization,
    Incognito,
    Mondrian,
    LocalRecoding,
    LocalSuppression,
)
BY_COLUMN = (GroupRare,)
"""Each column is counted by itself."""
BY_VALUE = (Generalize, Pseudonymize)
"""The distinct values tell all, however often each occurs, unless a hierarchy counts them."""
BYTES = 24
"""Memory for each record and column while a step works on all records of its classes."""


def plan_by_classes(
    step: Method, position: int, course: Course, rng: np.random.Generator
) -> list[ClassPlan] | None:
    """The plans of such a step, one for each set of columns that is counted; none for others."""
    if isinstance(step, BY_VALUE) and not step.makes_mapping:
        return [_plan(step, position, course, rng, step.touches(course.head))]
    if isinstance(step, BY_COLUMN):
        plans = []
        for name in step.columns:
            one = step.model_copy(update={"columns": (name,)})
            plans.append(_plan(one, position, course, rng, (name,)))
            course = course.then(plans[-1])
        return plans
    if isinstance(step, BY_CLASS) and _suits(step, course.head.roles):
        return [_plan(step, position, course, rng, _read(step, course.head))]
    return None


def counts_records(step: Method) -> bool:
    """Whether a hierarchy of the step follows from how many records have each value."""
    several = getattr(step, "hierarchies", {})
    builders = [getattr(step, "hierarchy", None), *several.values()]
    return any(isinstance(one, Frequency) for one in builders)


def works_on_records(step: Method) -> bool:
    """Whether a step is given all records of its classes, because counts tell it too little."""
    if type(step).on_classes is Method.on_classes or counts_records(step):
        return True
    if isinstance(step, Mondrian):
        return bool(step.models) or not step.by_counts
    return isinstance(step, Datafly) and bool(step.models)


def _suits(step: Method, roles: Roles) -> bool:
    """Whether the classes tell all: not where people, households or weights count."""
    models = getattr(step, "models", ())
    households = hasattr(step, "household_columns") and roles.household is not None
    weighted = roles.weight is not None and bool(models)
    settled = not getattr(step, "recalibrate", False)
    return roles.entity is None and not households and not weighted and settled


def _read(step: Method, table: Table) -> tuple[str, ...]:
    """Keys, what models look at, a target, and strata that are seen to apart."""
    wanted = dict.fromkeys(step.touches(table))
    if isinstance(step, SuppressRecords) and not step.columns:
        wanted |= dict.fromkeys(key for keys in table.roles.key_sets().values() for key in keys)
    for model in getattr(step, "models", ()):
        wanted |= dict.fromkeys(model.reads(table.roles))
    if target := getattr(step, "target", None):
        wanted[target] = None
    if getattr(step, "by_strata", False):
        wanted |= dict.fromkeys(table.roles.strata)
    table.require(wanted)
    return tuple(wanted)


def _plan(
    step: Method, position: int, course: Course, rng: np.random.Generator, columns: tuple[str, ...]
) -> ClassPlan:
    roles = course.head.roles
    course.head.require(columns)
    found = course.count_distinct(columns)
    table = Table(found.keys, roles.without(set(roles.named) - set(columns)))
    each = np.arange(table.height)
    outcome = None
    if not counts_records(step):
        outcome = step.on_classes(table, found.counts)
        if outcome is None and isinstance(step, BY_VALUE):
            outcome = step.apply(table, rng)
    if outcome is None:
        n_bytes = float(found.n_records) * len(columns) * BYTES
        course.engine.may_hold(n_bytes, f"planning step '{step.kind()}'")
        each = np.repeat(each, found.counts)
        outcome = step.apply(Table(table.frame[each], table.roles), rng)
    return class_plan((step, position, columns), found, outcome, each)
