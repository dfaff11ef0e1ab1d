"""Rows drawn from a model take the place of all others: fitted once, drawn block after block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from microveil.errors import InputError
from microveil.methods import Method, Synthesize
from microveil.planning.course import Course
from microveil.synthesis.parts.model import SyntheticModel
from microveil.tables import Roles, Table
from microveil.texts import phrase

MOST_FITTED = 1_000_000
"""Rows that a model is fitted to; of more, so many are chosen at random."""
COPIES = 5
"""Copies of the rows in memory while a model is fitted to them and records are drawn."""


class DrawnRows(NamedTuple):
    """Records that belong to nobody, block after block."""

    blocks: Iterator[pl.DataFrame]
    roles: Roles
    facts: dict[str, Any]
    """Complete when all blocks are drawn."""


def draws_rows(step: Method) -> bool:
    """Whether a step draws new rows, not cells of those that are there."""
    return isinstance(step, Synthesize) and not step.columns and step.risk_threshold is None


def fits_a_sample(step: Synthesize, roles: Roles) -> bool:
    """Whether a model may be fitted to some of the rows.

    A private model has its budget for all rows; households and people stay whole; and whether a
    unique is replicated only all rows tell.
    """
    grouped = roles.household is not None or roles.entity is not None
    whole = step.generator.private or grouped or step.replicated_uniques == "remove"
    return not whole


def draw_rows(step: Synthesize, course: Course, rng: np.random.Generator) -> DrawnRows:
    """Fit the step's model, and draw as many records as it asks for."""
    if step.copies > 1:
        raise InputError(
            "Several copies are further tables, which cannot be drawn in parts. Draw one copy in "
            "each run, or run the table whole."
        )
    n_rows = course.height()
    table = _training_rows(step, course, n_rows, rng)
    model = SyntheticModel(step, table, rng)
    facts: dict[str, Any] = {}
    if table.height < n_rows:
        facts["n_fitted"] = table.height
    return DrawnRows(_blocks(model, n_rows, facts, rng), table.roles, facts)


def _training_rows(
    step: Synthesize, course: Course, n_rows: int, rng: np.random.Generator
) -> Table:
    """All rows, or a random choice of as many as a model is fitted to."""
    head = course.head
    width = head.frame.estimated_size() / max(head.height, 1)
    some = n_rows > MOST_FITTED and fits_a_sample(step, head.roles)
    n_fitted = MOST_FITTED if some else n_rows
    what = phrase("step '{kind}' on {n} rows", kind=step.kind(), n=n_fitted)
    course.engine.may_hold(COPIES * width * n_fitted, what)
    if not some:
        return course.gather(head.columns)
    chosen = np.zeros(n_rows, np.bool_)
    chosen[rng.choice(n_rows, n_fitted, replace=False)] = True
    found, start = list[pl.DataFrame](), 0
    for part in course.tables():
        found.append(part.frame.filter(pl.Series(chosen[start : start + part.height])))
        start += part.height
    return Table(pl.concat(found, how="vertical_relaxed"), head.roles)


def _blocks(
    model: SyntheticModel, n_rows: int, facts: dict[str, Any], rng: np.random.Generator
) -> Iterator[pl.DataFrame]:
    """Records in blocks of as many as the model was fitted to; a small table is one block."""
    fitted, weight = model.original.height, model.plan.weight
    settled = model.settings.n or (n_rows if fitted < n_rows else None)
    trust: Mapping[str, Any] | None = None
    left = settled if settled is not None else 0
    first = True
    while first or left > 0:
        wanted = None if settled is None else min(left, max(fitted, MOST_FITTED))
        drawn = model.draw(wanted, rng)
        if first:
            told = model.trust_map(drawn.table)
            trust = None if told is None else told.to_dict()
        _add_facts(facts, drawn.facts)
        first, left = False, left - (wanted or 0)
        frame = drawn.table.frame
        if weight is not None and settled is not None:
            # Each block has the weight of the rows it was fitted to; all together that of all.
            share = n_rows / fitted * drawn.table.height / settled
            frame = frame.with_columns((pl.col(weight) * share).cast(frame.schema[weight]))
        yield frame
    if trust is not None:
        facts["trust_map"] = trust


def _add_facts(facts: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Add the facts of a block: counts are added up, and shares are those of all blocks."""
    before, here = facts.get("n_records", 0), more.get("n_records", 0)
    for name, fact in more.items():
        known = facts.get(name)
        if known is None or not isinstance(fact, int | float) or isinstance(fact, bool):
            facts[name] = fact
        elif isinstance(fact, float):
            facts[name] = (known * before + fact * here) / max(before + here, 1)
        else:
            facts[name] = known + fact
