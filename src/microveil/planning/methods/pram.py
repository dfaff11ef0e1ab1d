"""PRAM and randomised response: categories and matrices from counts, draws part by part."""

from __future__ import annotations

import numpy as np

from microveil.methods import Method, Pram, RandomizedResponse
from microveil.methods.parts.categories import encode_categories
from microveil.methods.parts.value_text import value_text
from microveil.methods.pram import refuse_too_many
from microveil.planning.course import Course
from microveil.planning.plan import Resolved
from microveil.tables import Roles


def suits(step: Pram | RandomizedResponse, roles: Roles) -> bool:
    """Whether each record is changed by itself: no households, and one matrix for all strata."""
    by_strata = isinstance(step, Pram) and step.by_strata and bool(roles.strata)
    return roles.household is None and roles.entity is None and not by_strata


def plan_draws(
    step: Pram | RandomizedResponse, position: int, course: Course, rng: np.random.Generator
) -> Resolved:
    """The step with every column's categories, and its matrix, written out."""
    parts: list[Method] = []
    for name in step.columns:
        found = course.count_distinct([name])
        labels = step.labels if isinstance(step, Pram) else step.categories
        column = encode_categories(found.keys[name], labels, step.kind())
        categories = tuple(value_text(column.categories).to_list())
        if not categories:
            continue
        if isinstance(step, RandomizedResponse):
            parts.append(step.model_copy(update={"columns": (name,), "categories": categories}))
            continue
        refuse_too_many(column)
        there = column.codes >= 0
        counts = np.bincount(
            column.codes[there], weights=found.counts[there], minlength=len(categories)
        )
        matrix = step.matrix_of(counts.astype(np.int64), rng)
        parts.append(Pram(columns=(name,), categories=categories, matrix=_rows(matrix)))
    told = {} if isinstance(step, Pram) else _tell(step, len(parts))
    return Resolved(step, position, step.columns, tuple(parts), told, by_chance=True)


def _rows(
    matrix: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
) -> tuple[tuple[float, ...], ...]:
    clipped = np.clip(matrix, 0.0, 1.0)
    return tuple(tuple(row) for row in (clipped / clipped.sum(axis=1, keepdims=True)).tolist())


def _tell(step: RandomizedResponse, n_columns: int) -> dict[str, object]:
    return {
        "categories_from": "data" if step.categories is None else "recipe",
        "epsilon_per_record": step.epsilon * n_columns,
    }
