"""Coarsen paths in space and time, and suppress points, until m known points leave k people."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from microveil.arrays import Flags
from microveil.errors import GoalNotReachedError
from microveil.hierarchies import AnyHierarchy
from microveil.methods.anonymize_paths.coarsening import Ladder, Version
from microveil.methods.anonymize_paths.suppression import remove_points
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns
from microveil.risk.paths.points import Period, Points, require_time
from microveil.tables import Table
from microveil.texts import phrase

SHARE_BESIDE_COARSENING = 0.1
"""Largest share of the points that is suppressed where paths can be coarsened, unless stated."""


class AnonymizePaths(Method):
    """Coarsen paths and suppress points: whoever knows m points of a path finds k people.

    A person's rows are the points of a path: places with their times, or states such as visits and
    diagnoses. Places go to a grid (``cells``) or up a ``hierarchy``, times to ``periods``; the
    finest version is taken that suppresses few enough points, the same for everybody. Then, of each
    piece of up to m points that fewer than k people share, its path loses the point that is in most
    such pieces, until none is left. A suppressed point is missing, and so is its time; in columns
    of lists it is gone. The risk is then at most 1/k (see ``trajectory_risk``). Where rows are not
    linked to people, each row is a path.

    Time grows with the number of m-point pieces, times some ten rounds.

    >>> from microveil.tables import Roles
    >>> visits = {"who": [1, 1, 2, 2, 3, 3], "place": ["a", "b", "a", "b", "a", "c"]}
    >>> step = AnonymizePaths(columns=["place"], k=2)
    >>> step.protect(visits, Roles(entity="who"))["place"].to_list()
    ['a', 'b', 'a', 'b', 'a', None]
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("cells", "periods")
    method: Literal["anonymize_paths"] = "anonymize_paths"
    columns: SomeColumns = ()
    """Columns that together say where (a place, or latitude and longitude), or one column of
    lists."""
    time: str | None = None
    """Column that says when; it orders the points."""
    k: int = Field(ge=2)
    """Smallest number of people who may share m points."""
    m: int = Field(default=2, ge=1)
    """Number of points that an intruder may know."""
    knows: Literal["locations", "unique_locations", "sequence", "time", "frequency"] = "locations"
    """What the intruder knows of these points: places with or without repeats, their order, their
    time, or how often the person was there."""
    cells: tuple[float, ...] = ()
    """Sizes of grid cells to try for places that are numbers, from fine to coarse, in the units of
    the columns."""
    hierarchy: AnyHierarchy | None = None
    """How places generalise, if there is one column of them; levels are tried from fine to coarse.
    """
    periods: tuple[Period, ...] = ()
    """Periods to try for the time, from fine to coarse."""
    suppression_share: float | None = Field(default=None, ge=0, le=1)
    """Largest share of the points that may be suppressed; by default 0.1 where paths can be
    coarsened, else all."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.cells and self.hierarchy is not None:
            raise ValueError(phrase("Places go to a grid or up a hierarchy: name one of them."))
        if any(size <= 0 for size in self.cells):
            raise ValueError(phrase("Sizes of grid cells must be above 0."))
        if self.hierarchy is not None and len(self.columns) > 1:
            raise ValueError(phrase("A hierarchy is for one column of places."))
        if self.periods and self.time is None:
            raise ValueError(phrase("Periods need a `time`."))
        return self

    @property
    def draws(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def touches(self, table: Table) -> tuple[str, ...]:  # noqa: ARG002  named, whatever the table
        """The places and the time."""
        return (*self.columns, *([] if self.time is None else [self.time]))

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  no chance
        """Take the finest version that suppresses few enough points; the facts name it."""
        table.require(self.touches(table))
        listed = isinstance(table.frame.schema[self.columns[0]], pl.List | pl.Array)
        require_time(self.knows, self.time, listed=listed)
        ladder = Ladder(self.cells, self.hierarchy, self.periods)
        for version in ladder.versions(table.frame, self.columns, self.time):
            coarse = table.with_columns(version.columns)
            points = Points.of(coarse, self.columns, self.time, self.kind())
            most = self._share * len(points.row)
            kept = remove_points(points, self.knows, self.k, self.m, most)
            if kept is not None:
                after = _without(coarse, points, kept, self.touches(table), listed=listed)
                return Outcome(after, self._facts(version, kept))
        raise GoalNotReachedError(
            "Step 'anonymize_paths' cannot leave {k} people to whoever knows {m} points without "
            "suppressing more than a share of {share} of the points. Allow coarser `cells`, "
            "`periods` or levels, or raise `suppression_share`.",
            k=self.k,
            m=self.m,
            share=self._share,
        )

    @property
    def _share(self) -> float:
        if self.suppression_share is not None:
            return self.suppression_share
        coarsens = self.cells or self.periods or self.hierarchy is not None
        return SHARE_BESIDE_COARSENING if coarsens else 1.0

    def _facts(self, version: Version, kept: Flags) -> dict[str, Any]:
        n_suppressed = int((~kept).sum())
        return {
            "cell": version.cell,
            "level": version.level,
            "period": version.period,
            "n_points": len(kept),
            "n_points_suppressed": n_suppressed,
            "suppressed_share": n_suppressed / len(kept) if len(kept) else 0.0,
        }


def _without(
    table: Table, points: Points, kept: Flags, columns: tuple[str, ...], *, listed: bool
) -> Table:
    """The table with suppressed points missing, or gone from their lists."""
    if listed:
        name = columns[0]
        whole = table.frame.select(pl.col(name)).with_row_index("\0row")
        if isinstance(whole.schema[name], pl.Array):
            whole = whole.with_columns(pl.col(name).arr.to_list())
        flat = whole.explode(name).drop_nulls(name).filter(pl.Series(kept))
        lists = flat.group_by("\0row", maintain_order=True).agg(name)
        empty = pl.Series(name, [[]], dtype=whole.schema[name])
        joined = whole.select("\0row", there=pl.col(name).is_not_null()).join(
            lists, on="\0row", how="left", maintain_order="left"
        )
        filled = pl.when("there").then(pl.col(name).fill_null(empty)).alias(name)
        return table.with_columns([joined.select(filled).to_series()])
    gone = np.zeros(table.height, dtype=np.bool_)
    gone[points.row[~kept]] = True
    blanked = [pl.when(~pl.Series(gone)).then(pl.col(name)).alias(name) for name in columns]
    return table.with_columns(table.frame.select(blanked).get_columns())
