"""What a step has learnt from a table, as steps that do the same to other tables.

A row-wise step is unchanged. One that depends on the whole table is replaced by steps with what it
found: limits, frequent categories, levels, the labels of its classes. All of these are visible in
the release anyway; nothing else is kept from the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import singledispatch

import polars as pl

from microveil.errors import InputError
from microveil.hierarchies import Digits, HierarchyBuilder, Types, Unlisted
from microveil.methods import (
    Datafly,
    Generalize,
    GroupRare,
    LocalRecoding,
    LocalSuppression,
    MatchClasses,
    Method,
    Mondrian,
    Outcome,
    SuppressRecords,
    TopBottomCode,
)
from microveil.methods.parts.lattice_release import LatticeMethod
from microveil.methods.parts.value_text import value_text
from microveil.privacy import KAnonymity, PrivacyModel
from microveil.tables import Table

Steps = tuple[Method, ...]


@singledispatch
def settle(step: Method, before: Table, outcome: Outcome) -> Steps:  # noqa: ARG001  see below
    """The steps that do to other tables what this one did to this table."""
    if step.row_wise:
        return (step,)
    raise InputError(
        "Step '{kind}' cannot be applied to new data: what it does to a record depends on "
        "the other records of its table. Run the recipe on the new table instead.",
        kind=step.kind(),
    )


@settle.register
def _(step: SuppressRecords, before: Table, outcome: Outcome) -> Steps:  # noqa: ARG001
    return (step,)  # counts the classes of the new table, as it should


@settle.register
def _(step: LocalSuppression, before: Table, outcome: Outcome) -> Steps:  # noqa: ARG001
    return (step,)


@settle.register
def _(step: TopBottomCode, before: Table, outcome: Outcome) -> Steps:  # noqa: ARG001
    if step.row_wise:
        return (step,)
    if step.replace_by == "mean":
        raise InputError(
            "Means of the values cut off cannot be applied to new data. Use `replace_by: limit`."
        )
    return tuple(_limits(step, outcome.table.frame[name], name) for name in step.columns)


def _limits(step: TopBottomCode, coded: pl.Series, name: str) -> Method:
    """The step for one column, with the ends of its released values as limits."""
    ends = value_text(pl.Series([coded.min(), coded.max()], dtype=coded.dtype)).to_list()
    if ends[0] is None:
        raise InputError("Column '{name}' has no values to learn a limit from.", name=name)
    low, high = ends if coded.dtype.is_temporal() else [float(end) for end in ends]
    return TopBottomCode(
        columns=(name,),
        top=high if step.top_share is not None else step.top,
        bottom=low if step.bottom_share is not None else step.bottom,
    )


@settle.register
def _(step: GroupRare, before: Table, outcome: Outcome) -> Steps:  # noqa: ARG001
    found = {name: step.frequent(before.frame[name]) for name in step.columns}
    return (step.model_copy(update={"kept": {**found, **step.kept}, "enlarge": False}),)


@settle.register
def _(step: Generalize, before: Table, outcome: Outcome) -> Steps:  # noqa: ARG001
    if step.row_wise or step.level == 0:
        return (step,)
    return (
        step.model_copy(update={"hierarchy": _fix_hierarchy(step.hierarchy, before, step.column)}),
    )


def _fix_hierarchy(builder: HierarchyBuilder, before: Table, column: str) -> HierarchyBuilder:
    """A hierarchy whose labels depend on the value alone, not on the rest of the column."""
    if builder.row_wise:
        return builder
    if isinstance(builder, Digits):
        longest = value_text(before.frame[column]).str.len_chars().max()
        return builder.model_copy(update={"length": longest or 1})
    raise InputError(
        "Column '{column}' is generalised by hierarchy '{kind}', whose levels depend on the "
        "whole column. Give it a hierarchy of its own, such as intervals, prefix or a tree.",
        column=column,
        kind=builder.kind(),
    )


@settle.register
def _(step: LatticeMethod, before: Table, outcome: Outcome) -> Steps:
    levels = outcome.facts["levels"]
    steps = [
        _at_level(name, step.hierarchies.get(name, Types()), level, before, step.unlisted)
        for name, level in levels.items()
    ]
    return (*_there(steps), *_rare_records(step.goal, tuple(levels)))


@settle.register
def _(step: Datafly, before: Table, outcome: Outcome) -> Steps:
    levels = outcome.facts["levels"]
    steps = [
        _at_level(name, step.hierarchies.get(name, Types()), level, before, step.unlisted)
        for name, level in levels.items()
    ]
    return (*_there(steps), SuppressRecords(k=step.k, columns=tuple(levels)))


def _at_level(
    name: str, builder: HierarchyBuilder, level: int, before: Table, unlisted: Unlisted
) -> Method | None:
    """The step that generalises a key to its level; None if it is unchanged."""
    if level == 0:
        # What a hierarchy does not list is `*` on every level.
        starred = unlisted == "star" and builder.row_wise
        return (
            Generalize(column=name, hierarchy=builder, level=0, unlisted=unlisted)
            if starred
            else None
        )
    values = before.frame[name].drop_nulls()
    if not len(values) or level >= builder.build(values).height:
        # Nothing is left of the column: masking more than there is leaves `*`, whatever the value.
        away = Digits()
        return Generalize(column=name, hierarchy=away, level=10**6, star_missing=True)
    fixed = _fix_hierarchy(builder, before, name)
    return Generalize(column=name, hierarchy=fixed, level=level, unlisted=unlisted)


def _there(steps: Sequence[Method | None]) -> Steps:
    return tuple(step for step in steps if step is not None)


def _rare_records(goal: Sequence[PrivacyModel], keys: tuple[str, ...]) -> Steps:
    """The step that removes records of small classes, if there is a minimum class size."""
    least = max((model.k for model in goal if isinstance(model, KAnonymity)), default=1)
    return (SuppressRecords(k=least, columns=keys),) if least > 1 else ()


@settle.register
def _(step: Mondrian, before: Table, outcome: Outcome) -> Steps:
    if step.publish == "centroids":
        raise InputError(
            "Means of Mondrian's partitions cannot be applied to new data. Publish ranges or nodes."
        )
    keys = step.columns or before.roles.quasi_identifiers
    named = step.hierarchies if step.publish == "nodes" else {}
    return (
        _classes(keys, named, before, outcome.table),
        SuppressRecords(k=step.k, columns=keys),
    )


@settle.register
def _(step: LocalRecoding, before: Table, outcome: Outcome) -> Steps:
    keys = step.columns or before.roles.quasi_identifiers
    goal = (*step.models, *(() if step.k is None else (KAnonymity(k=step.k),)))
    return (
        _classes(keys, step.hierarchies, before, outcome.table),
        *_rare_records(goal, keys),
    )


def _classes(
    keys: tuple[str, ...],
    hierarchies: Mapping[str, HierarchyBuilder],
    before: Table,
    after: Table,
) -> Method:
    """The step that gives records the labels of the released classes, in the labels' order."""
    labels = after.frame.select(value_text(after.frame[name]).cast(pl.String) for name in keys)
    same = [name for name in keys if after.frame.schema[name] == before.frame.schema[name]]
    kept = [name for name in same if _only_values(before.frame[name], after.frame[name])]
    distinct = labels.unique().sort(keys, nulls_last=True)
    step = MatchClasses(columns=keys, classes=distinct.rows(), hierarchies=hierarchies, keep=kept)
    return step.finest_first(before)


def _only_values(before: pl.Series, after: pl.Series) -> bool:
    """Whether a released column contains only values of the original."""
    return bool(after.drop_nulls().unique().is_in(before.drop_nulls().unique().implode()).all())
