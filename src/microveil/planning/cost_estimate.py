"""Cost estimate for a run in parts: passes, memory, disk and time.

Rows and bytes come from the file (a Parquet file stores them; for other files they are estimated
from the first rows), the number of classes from a sample. Each constant names the case of ``make
bench-scale`` that measured it; whole runs took at most twice the estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2, prod
from pathlib import Path
from typing import Any

import polars as pl

from microveil.errors import InputError
from microveil.files.folders import files_of, n_bytes_of
from microveil.methods import (
    AdditiveNoise,
    Decompose,
    Method,
    Mondrian,
    MultiplicativeNoise,
    Pram,
    RandomizedResponse,
    Round,
    Sample,
    TopBottomCode,
)
from microveil.methods.parts.lattice_release import LatticeMethod
from microveil.planning.counting import bytes_per_class
from microveil.planning.files import PART, FileEngine
from microveil.planning.memory import free_disk
from microveil.planning.methods import additive_noise, pram, sample
from microveil.planning.methods.by_classes import (
    BY_CLASS,
    BY_COLUMN,
    BY_VALUE,
    BYTES,
    works_on_records,
)
from microveil.planning.methods.by_sorting import LARGE, by_sorting
from microveil.planning.methods.decompose import LINK
from microveil.planning.plan import read_by
from microveil.recipes import Recipe
from microveil.tables import Table
from microveil.texts import join

SECONDS_PER_CELL_COUNTED = 3.5e-8
"""Counting classes, for each record and key. ``count``: 2.2 s for 10,000,000 × 6."""
SECONDS_PER_CELL_WRITTEN = 2e-7
"""Reading, protecting, shuffling, writing and reading back, for each record and column. ``recipe``:
1.9 s for 1,000,000 × 10, 20 s for 10,000,000 × 10."""
SECONDS_PER_CELL_PLANNED = 3e-7
"""A step that works on all records of its classes, for each record and key. ``mondrian``: 1.8 s for
1,000,000 × 6."""
SECONDS_PER_CELL_COMPARED = 2e-7
"""Looking at all rows for what they give back of keys, for each record and column: 2 s of a run of
4.4 s with 1,000,000 × 10."""
SECONDS_PER_CLASS_CUT = 7e-6
"""Mondrian on the frequency table, for each class: 8 s for 950,000 classes of four keys."""
SECONDS_PER_CLASS = 3e-6
"""A search on the frequency table, for each class. ``recipe``: 1.4 s for 471,239 classes."""
SECONDS_PER_CLASS_BYTE = 1.5e-9
"""Holding a class, for each byte of memory that it takes. 1,000,000 of four keys, two of them text,
held twice: 1.3 s of a run of 3.4 s."""
SECONDS_PER_ROW_SORTED = 1.1e-6
"""Sorting a column on disk twice, for each record. ``swap``, with ``LARGE`` lowered: 1.1 s for
1,000,000."""
BASE = 400 * 2**20
"""Memory that the library uses before it has read a row. ``count`` at 1,000,000: 0.35 GiB."""
PART_COPIES = 8
"""Copies of a part that are in memory while it is protected, written and read back. ``recipe`` at
1,000,000: 0.69 GiB."""
WHOLE_COPIES = 6
"""Copies of the table in memory while all of it is protected at once, checked and read back.
10,000,000 × 3 with an id: 1.8 GiB."""
ROW_COPIES = 4
"""How often all rows are held: before, after, and while columns are compared."""
SMALL = 100
"""Bytes in memory of a byte in a file, at most but for rare cases."""
SORTED = 24
"""Bytes of a row, its number and its random key in a temporary file that is sorted on disk."""


@dataclass(frozen=True)
class StepCost:
    """What one step needs beforehand."""

    method: str
    way: str
    """``row by row``, ``from counts``, ``from moments``, ``sorted on disk``, or ``its columns in
    memory``."""
    passes: int
    memory: float
    seconds: float
    disk: float = 0.0


@dataclass(frozen=True)
class CostEstimate:
    """Estimate of what a run will take."""

    n_rows: int
    n_columns: int
    n_bytes: int
    """Of the source."""
    steps: tuple[StepCost, ...]
    passes: int
    """How often the source, or some of its columns, is read; the written file is read twice
    more."""
    memory: float
    disk: float
    """Needed while rows are shuffled; half of it if they keep their order."""
    seconds: float
    memory_limit: int
    disk_free: int

    @property
    def problems(self) -> tuple[str, ...]:
        """Why the run cannot start."""
        found = []
        if self.memory > self.memory_limit:
            dear = max(self.steps, key=lambda one: one.memory, default=None)
            named = f" for step '{dear.method}'" if dear and dear.memory > self.memory / 2 else ""
            found.append(
                f"This run needs about {gib(self.memory)} of memory{named}, and "
                f"{gib(self.memory_limit)} may be used. Allow more by memory_limit, or choose a "
                "step that is planned from counts."
            )
        if self.disk > self.disk_free:
            found.append(
                f"This run needs about {gib(self.disk)} of disk beside its target, and "
                f"{gib(self.disk_free)} are free. Make room, or name another place."
            )
        return tuple(found)

    @property
    def fits(self) -> bool:
        """Whether the run can start."""
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "n_rows": self.n_rows,
            "n_columns": self.n_columns,
            "n_bytes": self.n_bytes,
            "steps": [vars(step) for step in self.steps],
            "passes": self.passes,
            "memory": round(self.memory),
            "disk": round(self.disk),
            "seconds": round(self.seconds, 1),
            "memory_limit": self.memory_limit,
            "fits": self.fits,
            "problems": list(self.problems),
        }


def estimate_cost(recipe: Recipe, engine: FileEngine, out: str | Path) -> CostEstimate:
    """What a run of a recipe on a file will take, without running it."""
    table = Table(engine.head(), recipe.roles)
    n_rows = engine.table.height
    sample_rows = _sample(engine)
    steps = tuple(
        _step_cost(
            step.toward(recipe.models, recipe.missing_keys),
            table,
            n_rows,
            sample_rows,
            engine.memory_limit,
        )
        for step in recipe.steps
    )
    width = table.frame.estimated_size() / max(table.height, 1)
    keys = {key for keys in recipe.roles.key_sets().values() for key in keys}
    classes = _n_classes(sample_rows, sorted(keys), n_rows) if keys else 1
    counting = classes * bytes_per_class(sample_rows, sorted(keys))
    part = min(PART, n_rows) * width * PART_COPIES
    passes = sum(step.passes for step in steps) + 2
    cells = n_rows * len(table.columns)
    compared = _bytes_compared(recipe, engine)
    n_bytes = n_bytes_of(engine.source)
    folder = Path(out).absolute().parent
    return CostEstimate(
        n_rows,
        len(table.columns),
        n_bytes,
        steps,
        passes,
        BASE
        + max([compared, *(part + one for one in (counting, *(step.memory for step in steps)))]),
        2.0 * n_bytes + sum(step.disk for step in steps),
        cells * (SECONDS_PER_CELL_WRITTEN + SECONDS_PER_CELL_COMPARED * (compared > 0))
        + 2 * n_rows * len(keys) * SECONDS_PER_CELL_COUNTED
        + 2 * counting * SECONDS_PER_CLASS_BYTE
        + sum(step.seconds for step in steps),
        engine.memory_limit,
        free_disk(folder) if folder.is_dir() else 0,
    )


def memory_with_rows(engine: FileEngine, copies: int = ROW_COPIES) -> float:
    """Memory of a run that holds all rows, before and after."""
    head = engine.head()
    return BASE + copies * head.estimated_size() / max(head.height, 1) * engine.n_rows()


def _bytes_compared(recipe: Recipe, engine: FileEngine) -> float:
    """Memory for all rows while it is examined what they give back of keys; 0 if left out."""
    if not recipe.models or not any(key in engine.table.columns for key in recipe.roles.named):
        return 0.0
    needed = memory_with_rows(engine)
    return needed - BASE if needed <= engine.memory_limit else 0.0


def memory_as_a_whole(engine: FileEngine) -> float:
    """Memory that a run takes with the whole table in memory; what a small file takes at most."""
    most = SMALL * n_bytes_of(engine.source)
    if BASE + WHOLE_COPIES * most <= engine.memory_limit:
        return BASE + WHOLE_COPIES * most
    return memory_with_rows(engine, WHOLE_COPIES)


def refuse_unfit(recipe: Recipe, engine: FileEngine, out: str | Path) -> None:
    """Raise an error before a run that would not fit."""
    files_of(engine.source)  # which says what is missing
    problems = estimate_cost(recipe, engine, out).problems
    if problems:
        raise InputError(join(problems))


def way_of(step: Method, table: Table, n_rows: int = 0) -> str:
    """How a step is planned for this number of rows, in the words of :class:`StepPrice`."""
    roles = table.roles
    if step.row_wise:
        return "row by row"
    alone = roles.household is None and roles.entity is None
    if isinstance(step, MultiplicativeNoise | Round) and alone:
        return "row by row"
    if isinstance(step, AdditiveNoise) and additive_noise.suits(step, roles):
        return "from moments"
    planned = (
        isinstance(step, TopBottomCode | BY_COLUMN[0])
        or (isinstance(step, Pram | RandomizedResponse) and pram.suits(step, roles))
        or (isinstance(step, Sample) and sample.suits(step, roles))
        or (isinstance(step, BY_CLASS) and roles.entity is None)
        or (isinstance(step, BY_VALUE) and not step.makes_mapping)
    )
    if planned:
        return "from counts"
    on_disk = n_rows > LARGE and by_sorting(step, table)
    return "sorted on disk" if on_disk else "its columns in memory"


def _step_cost(
    step: Method, table: Table, n_rows: int, sample_rows: pl.DataFrame, memory_limit: int
) -> StepCost:
    way = way_of(step, table, n_rows)
    if way == "row by row":
        return StepCost(step.kind(), way, 0, 0.0, 0.0)
    touched = [name for name in step.touches(table) if name in table.columns]
    counting = n_rows * len(touched) * SECONDS_PER_CELL_COUNTED
    if way == "from moments":
        seconds = 2 * n_rows * len(table.columns) * SECONDS_PER_CELL_COUNTED
        return StepCost(step.kind(), way, 2, 0.0, seconds)
    if way == "sorted on disk":
        columns = max(len(touched), 1)
        seconds = n_rows * columns * SECONDS_PER_ROW_SORTED
        disk = 3.0 * n_rows * columns * SORTED
        window = 2.0 * n_rows * (getattr(step, "range_share", 0.0) or 0.0) * SORTED
        memory = min(disk, memory_limit / 4) + window
        return StepCost(step.kind(), way, columns, memory, seconds, disk)
    if way == "its columns in memory":
        names = [name for name in read_by(step, table) if name in table.columns]
        if isinstance(step, Decompose):  # links, and with l the sensitive column
            names = [] if step.l is None else list(list(step.groups.values())[1][:1])
            touched = names
        width = table.frame.select(names).estimated_size() / max(table.height, 1) + LINK
        seconds = n_rows * max(len(touched), 1) * SECONDS_PER_CELL_PLANNED
        return StepCost(step.kind(), way, 1, 3.0 * width * n_rows, seconds)
    classes = _n_classes(sample_rows, touched, n_rows) if touched else 1
    memory = classes * bytes_per_class(sample_rows, touched)
    dear = {True: SECONDS_PER_CLASS_CUT, False: SECONDS_PER_CLASS}[isinstance(step, Mondrian)]
    seconds = counting + classes * dear * isinstance(step, LatticeMethod | Mondrian)
    if isinstance(step, BY_CLASS) and works_on_records(step):
        memory += float(n_rows) * len(touched) * BYTES
        seconds += n_rows * len(touched) * SECONDS_PER_CELL_PLANNED
    return StepCost(step.kind(), way, 1, memory, seconds)


def _sample(engine: FileEngine) -> pl.DataFrame:
    """The first part of the file, from which the number of classes is estimated."""
    plan = engine.table.plan
    return plan.head(PART).collect(engine="streaming")


def _n_classes(rows: pl.DataFrame, columns: Sequence[str], n_rows: int) -> int:
    """Classes in all rows, extrapolated from their growth between half of the sample and all of it.

    The number of distinct combinations grows like a power of the number of rows (Heaps 1978), but
    not beyond the product of the distinct values of each column.
    """
    there = [name for name in columns if name in rows.columns]
    if not there or rows.height < 2:  # noqa: PLR2004  growth needs two sizes
        return min(n_rows, rows.height) or 1
    most = prod(_n_distinct(rows.select(name), n_rows) for name in there)
    return min(most, _n_distinct(rows.select(there), n_rows))


def _n_distinct(rows: pl.DataFrame, n_rows: int) -> int:
    """Distinct rows among ``n_rows`` like these."""
    whole = rows.n_unique()
    half = rows.head(rows.height // 2).n_unique()
    growth = max(log2(whole / max(half, 1)), 0.0)
    return min(n_rows, int(whole * (n_rows / rows.height) ** growth))


def gib(n_bytes: float) -> str:
    """Bytes in words; less than a tenth of a GiB in smaller units, so that nothing is told as 0.0.

    >>> gib(3 * 2**29), gib(5 * 2**20), gib(0)
    ('1.5 GiB', '5 MiB', '0 MiB')
    """
    if n_bytes < 2**30 / 10:
        return f"{n_bytes / 2**20:.0f} MiB"
    return f"{n_bytes / 2**30:.1f} GiB"
