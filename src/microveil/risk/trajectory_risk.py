"""Trajectory risk: what m known points of a path tell about whose it is."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from microveil.arrays import Floats, Longs
from microveil.kernels.paths.subsequences import least_support
from microveil.measures.base import RiskMeasure
from microveil.risk.paths.points import Knowledge, Period, Points, begin_of_period, require_time
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns


class TrajectoryRisk(RiskMeasure):
    """Highest chance to find somebody in the table by m points of their path.

    A person's rows are the points of a path through places, or states such as diagnoses. For each
    person the intruder knows the m points that fewest people share, and the risk is one over the
    number of those people (Pellungrini et al. 2017). They know places with repeats (``locations``)
    or without (``unique_locations``), their order (``sequence``), their ``time``, how often the
    person was there (``frequency``) or for which share of their points (``probability``). Somebody
    with fewer points is known by all of them. A point all of whose columns are missing is none;
    without an entity each row is a path of its own, or each list of a column of lists.

    ``value`` is the highest risk of a person, ``parts`` has the mean, the number of people who are
    found for certain and of those with points; ``records`` holds each person's risk at their rows.
    Time grows with the number of m-point pieces: 100,000 people of 50 points and m = 2 take some
    seconds.

    >>> from microveil.tables import Roles
    >>> visits = {"who": [1, 1, 2, 2, 3], "place": ["a", "b", "a", "b", "a"]}
    >>> measure = TrajectoryRisk(columns=["place"])
    >>> measure.measure(visits, roles=Roles(entity="who")).value
    0.5
    """

    question: ClassVar[str] = "Can somebody be singled out?"
    title: ClassVar[str] = "Found by some points of their path"
    by_default: ClassVar[bool] = False
    reads_all_columns: ClassVar[bool] = True
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"
    name: Literal["trajectory_risk"] = "trajectory_risk"
    columns: Columns = ()
    """Columns that together say where (a place, or latitude and longitude), or one column of lists;
    by default the quasi-identifiers."""
    time: str | None = None
    """Column that says when; it orders the points."""
    m: int = Field(default=2, ge=1)
    """Number of points that an intruder may know."""
    knows: Knowledge = "locations"
    """What the intruder knows of these points."""
    precision: Period | None = None
    """Period to which the intruder knows the time; by default as it is written."""

    def score(self, original: Table | None, table: Table) -> Score:  # noqa: ARG002  one table is enough
        """Count who shares each piece of a path."""
        columns = self.columns or table.roles.quasi_identifiers
        if not columns:
            return self._score_of(np.zeros(0, dtype=np.int64), np.zeros(table.height))
        table.require(columns)
        listed = isinstance(table.frame.schema[columns[0]], pl.List | pl.Array)
        require_time(self.knows, self.time, listed=listed)
        points = Points.of(self._as_known(table), columns, self.time, self.kind())
        least = least_support(points.path(self.knows).index, self.m)
        risk = np.divide(1.0, least, out=np.zeros(len(least)), where=least > 0)
        return self._score_of(least, risk[points.owner] if len(risk) else np.zeros(table.height))

    def _as_known(self, table: Table) -> Table:
        if self.time is None or self.precision is None:
            return table
        table.require([self.time])
        return table.with_columns([begin_of_period(table.frame[self.time], self.precision)])

    def _score_of(self, least: Longs, records: Floats) -> Score:
        there = least[least > 0]
        risks = 1 / there
        return Score(
            measure=self.kind(),
            value=float(risks.max(initial=0.0)),
            parts={
                "mean_risk": float(risks.mean()) if len(risks) else 0.0,
                "n_unique": int((there == 1).sum()),
                "n_people": len(there),
            },
            records=records,
        )
