"""Microaggregation by blocks: the top of a k-d tree cuts the table, a worker finishes each block.

Groups never extend across a cut, so the loss is slightly larger than that of the exact method on
the whole table; the page about Spark states by how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.methods import Microaggregate
from microveil.methods.parts.real_values import real_values
from microveil.methods.parts.streams import Chance
from microveil.spark.frames import arrow_schema, col, spark_schema, to_polars
from microveil.tables import Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BLOCK = 20_000
"""Approximate number of rows in a block."""
SAMPLE = 50_000
Cuts = list[tuple[int, float]]


def suits(step: Microaggregate, head: Table) -> bool:
    """Whether there are numbers to cut the table by, and a cut parts nobody."""
    roles = head.roles
    apart = bool(roles.entity or roles.household or roles.strata)
    return not apart and any(head.frame.schema[name].is_numeric() for name in step.columns)


def microaggregate_blocks(
    step: Microaggregate, frame: DataFrame, head: Table, secret: int
) -> DataFrame:
    """The frame with the columns aggregated, block by block; the secret seed chooses the cuts."""
    roles = head.roles
    numbers = [name for name in step.columns if head.frame.schema[name].is_numeric()]
    n_rows = frame.count()
    # Cuts are chosen from a sample, even for a step that leaves nothing to chance.
    rng = Chance(secret, b"blocks").stream(roles, 0)
    tree = _tree(step, frame, numbers, n_rows, int(rng.integers(2**31)))
    example = step.apply(head, np.random.default_rng(0)).table.frame
    seed = int(rng.integers(2**62))
    return _by_block(step, frame, tree, numbers, (example, head, seed))


def _tree(
    step: Microaggregate, frame: DataFrame, names: Sequence[str], n_rows: int, seed: int
) -> list[Cuts]:
    """Blocks as the cuts that lead to them, from a sample."""
    share = min(1.0, SAMPLE / max(n_rows, 1))
    depth = max(0, int(np.floor(np.log2(max(n_rows / max(BLOCK, 4 * step.k), 1)))))
    if depth == 0:
        return []
    narrow = frame.select(*[col(name) for name in names])
    drawn = to_polars(narrow.sample(fraction=share, seed=seed).toArrow())
    points = np.column_stack([np.nan_to_num(real_values(drawn[name])) for name in names])
    scale = points.std(axis=0)
    return _cut(points / np.where(scale > 0, scale, 1.0), np.where(scale > 0, scale, 1.0), depth)


def _cut(points: NDArray[np.float64], scale: NDArray[np.float64], depth: int) -> list[Cuts]:
    """Medians of the widest column, level by level; a cut that separates nothing is the last."""
    tree: list[Cuts] = []

    def go(rows: NDArray[np.float64], level: int) -> int:
        place = len(tree)
        tree.append([])
        if level == depth or len(rows) < 2:  # noqa: PLR2004  one point cannot be cut
            return place
        column = int((rows.max(axis=0) - rows.min(axis=0)).argmax())
        middle = float(np.median(rows[:, column]))
        left = rows[:, column] <= middle
        if left.all():
            return place
        tree[place] = [(column, middle * float(scale[column]))]
        low = go(rows[left], level + 1)
        high = go(rows[~left], level + 1)
        tree[place] += [(low, 0.0), (high, 0.0)]
        return place

    go(points, 0)
    return tree


def blocks_of(points: NDArray[np.float64], tree: list[Cuts]) -> NDArray[np.int64]:
    """The leaf of the tree that each point falls into."""
    place = np.zeros(len(points), np.int64)
    for node, cuts in enumerate(tree):
        if cuts:
            (column, limit), (low, _), (high, _) = cuts
            here = np.flatnonzero(place == node)
            place[here] = np.where(points[here, column] <= limit, low, high)
    return place


def _by_block(
    step: Microaggregate,
    frame: DataFrame,
    tree: list[Cuts],
    names: Sequence[str],
    known: tuple[pl.DataFrame, Table, int],
) -> DataFrame:
    from pyspark.sql import functions
    from pyspark.sql.types import LongType, StructType

    example, head, seed = known
    block = "microveil_block"
    schema = spark_schema(example)
    arrow = arrow_schema(schema, frame)
    before = StructType(list(frame.schema.fields)).add(block, LongType())
    with_block = arrow_schema(before, frame)
    roles, columns, order = head.roles, example.columns, sorted(head.columns)

    def number(batches: Any) -> Any:
        for batch in batches:
            rows = to_polars(batch)
            points = np.column_stack([np.nan_to_num(real_values(rows[name])) for name in names])
            told = rows.with_columns(pl.Series(block, blocks_of(points, tree)))
            yield from told.to_arrow().cast(with_block).to_batches()

    def finish(part: Any) -> Any:
        # Rows come in any order after a shuffle; sorted, the same rows give the same result.
        rows = to_polars(part).drop(block).sort(order)
        rng = Chance.of(seed, rows).stream(step, 0)
        return (
            step.apply(Table(rows, roles), rng).table.frame.select(columns).to_arrow().cast(arrow)
        )

    numbered = frame.mapInArrow(number, before)
    return numbered.groupBy(functions.col(block)).applyInArrow(finish, schema)
