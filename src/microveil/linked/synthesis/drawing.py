"""Drawing: the rows of one table after the other, each row given its parent and the one before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import polars as pl

from microveil.arrays import Flags, Longs
from microveil.errors import InputError
from microveil.linked.links import Frames
from microveil.linked.synthesis.rules import kept_rules
from microveil.linked.synthesis.settings import LinkedSynthesis
from microveil.linked.synthesis.structure import Structure, explains
from microveil.synthesis.parts.generator import Fitted
from microveil.tables import Roles, Table

MOST_ROUNDS = 40
"""How often rows that break a rule are drawn again, before they are left out."""
COUNT, ABOVE, BEFORE = "\0n ", "\0above ", "\0before "
NUMBER, PLACE = "\0number", "\0place"


class Model(NamedTuple):
    """A fitted model, and the columns it must be given."""

    fitted: Fitted
    given: tuple[str, ...]


@dataclass
class Drawing:
    """Real tables, and the synthetic ones drawn so far."""

    settings: LinkedSynthesis
    structure: Structure
    real: Frames
    columns: Mapping[str, Sequence[str]]
    """Columns to draw, by table."""
    rng: np.random.Generator
    made: dict[str, pl.DataFrame] = field(default_factory=dict)
    """Synthetic rows, with the number of each child table's rows."""
    above: dict[str, dict[str, Longs]] = field(default_factory=dict)
    """For each synthetic row, the row of every table above it."""
    n_left_out: dict[str, int] = field(default_factory=dict)
    _known_rows: dict[str, pl.DataFrame] = field(default_factory=dict)

    def draw(self, name: str) -> None:
        """Draw one table, whose parents are there."""
        if name in self.structure.parent:
            self._draw_children(name)
        else:
            self._draw_top(name)

    def _rows(self, name: str) -> pl.DataFrame:
        """The real rows of a table, with the number of rows of each child."""
        if name in self._known_rows:
            return self._known_rows[name]
        frame = self.real[name].select(self.columns[name])
        for child in self.structure.children(name):
            rows = self.structure.rows_above(self.real, child)[name]
            counts = np.bincount(rows, minlength=frame.height)
            frame = frame.with_columns(pl.Series(COUNT + child, counts))
        self._known_rows[name] = frame
        return frame

    def _draw_top(self, name: str) -> None:
        frame = self._rows(name)
        n = self.settings.n_people or frame.height
        fitted = self._fit(frame, ()) if frame.width and frame.height else None
        empty = pl.DataFrame()

        def sample(some: Longs) -> pl.DataFrame:
            return empty if fitted is None else fitted.sample(len(some), self.rng)

        rows, kept = self._until_kept(name, sample, {}, n)
        self.made[name], self.above[name] = rows.filter(pl.Series(kept)), {}
        self.n_left_out[name] = int((~kept).sum())

    def _draw_children(self, name: str) -> None:
        parent = self.structure.parent[name].to
        real = self._in_order(name)
        drawn = self.made[parent]
        wanted = drawn[COUNT + name].fill_null(0).clip(0).to_numpy().astype(np.int64)
        models = [self._fit_place(name, real, first=first) for first in (True, False)]
        if models[0] is None:
            wanted[:] = 0
        elif models[1] is None:
            wanted = np.minimum(wanted, 1)
        batches, parents, alive = list[pl.DataFrame](), list[Longs](), wanted > 0
        last: pl.DataFrame | None = None
        place = 0
        while alive.any():
            up, model = np.flatnonzero(alive), models[min(place, 1)]
            if model is None:
                break
            rows, kept = self._draw_place(name, model, up, wanted, last, place)
            self.n_left_out[name] = self.n_left_out.get(name, 0) + int((~kept).sum())
            last = rows.filter(pl.Series(kept)).with_columns(pl.Series(NUMBER, up[kept]))
            batches.append(last.drop(NUMBER))
            parents.append(up[kept])
            alive[up[~kept]] = False
            place += 1
            alive &= wanted > place
            last = last.filter(pl.Series(alive[up[kept]]))
        self._finish(name, parent, batches, parents, real)

    def _finish(
        self,
        name: str,
        parent: str,
        batches: list[pl.DataFrame],
        parents: list[Longs],
        real: pl.DataFrame,
    ) -> None:
        up = np.concatenate([np.zeros(0, dtype=np.int64), *parents])
        empty = real.select(self._rows(name).columns).clear()
        rows = pl.concat([empty, *batches], how="vertical_relaxed")
        order = np.argsort(up, kind="stable")
        self.made[name] = rows[order]
        self.above[name] = {parent: up[order]} | {
            table: one[up[order]] for table, one in self.above[parent].items()
        }

    def _in_order(self, name: str) -> pl.DataFrame:
        """Real rows by parent and order, with their place, their number and what is above."""
        frame = self._rows(name)
        above = self.structure.rows_above(self.real, name)
        frame = frame.with_columns(pl.Series("\0up", above[self.structure.parent[name].to]))
        frame = frame.with_columns(self._what_is_above(name, self.real, above, frame.height))
        by = self.settings.order.get(name)
        if by is not None:
            if frame[by].null_count():
                raise InputError(
                    "Column '{by}' orders the rows of table '{name}', but some cells are missing. "
                    "Fill them in, or choose another column.",
                    by=by,
                    name=name,
                )
            frame = frame.sort("\0up", by, maintain_order=True)
        return frame.with_columns(
            pl.int_range(pl.len()).over("\0up").alias(PLACE), pl.len().over("\0up").alias(NUMBER)
        )

    def _what_is_above(
        self, name: str, frames: Frames, above: Mapping[str, Longs], height: int
    ) -> list[pl.Series]:
        """What a row knows of the rows above it."""
        found = []
        for table in self.structure.above(name):
            for column in self.columns[table]:
                if explains(self.real[table][column]):
                    cells = frames[table][column].gather(above[table])
                    found.append(cells.alias(f"{ABOVE}{table} {column}"))
        return found if height else [one.clear() for one in found]

    def _distances(self, name: str, *, first: bool) -> dict[str, str]:
        """Columns of dates that are drawn as distances from a date above, and which that is."""
        found: dict[str, str] = {}
        by = self.settings.order.get(name)
        for column in self.columns[name]:
            dtype = self.real[name].schema[column]
            if not isinstance(dtype, pl.Date | pl.Datetime) or (column == by and not first):
                continue
            for table in self.structure.above(name):
                beside = [
                    one
                    for one in self.columns[table]
                    if self.real[table].schema[one] == dtype
                    and not self.real[table][one].null_count()
                ]
                if beside:
                    found[column] = f"{ABOVE}{table} {beside[0]}"
                    break
        return found

    def _fit_place(self, name: str, real: pl.DataFrame, *, first: bool) -> Model | None:
        """A model of the first rows of parents, or of later ones given those before them."""
        known = [column for column in real.columns if column.startswith(ABOVE)]
        own = self._rows(name).columns
        if not first:
            by = self.settings.order.get(name)
            lags = [
                pl.col(one).shift(1).over("\0up").alias(BEFORE + one)
                for one in own
                if explains(real[one]) and one != by
            ]
            gap = [] if by is None else [_gaps(real[by], real["\0up"])]
            real = real.with_columns(*lags, *gap)
            known += [BEFORE + one for one in own if BEFORE + one in real.columns] + [PLACE]
        for column, beside in self._distances(name, first=first).items():
            apart = real[column].to_physical().cast(pl.Int64) - real[beside].to_physical()
            real = real.with_columns(apart.cast(pl.Int64).alias(column))
        rows = real.filter(pl.col(PLACE) == 0 if first else pl.col(PLACE) > 0)
        if not rows.height or not own:
            return None
        given = (NUMBER, *known)
        return Model(self._fit(rows.select(*own, *given), given), given)

    def _draw_place(
        self,
        name: str,
        model: Model,
        up: Longs,
        wanted: Longs,
        last: pl.DataFrame | None,
        place: int,
    ) -> tuple[pl.DataFrame, Flags]:
        """The rows at one place of their parents' sequences."""
        parent, by = self.structure.parent[name].to, self.settings.order.get(name)
        above = {parent: up} | {table: one[up] for table, one in self.above[parent].items()}
        given = pl.DataFrame({NUMBER: wanted[up]}).with_columns(
            self._what_is_above(name, self.made, above, len(up))
        )
        if place and last is not None:
            given = given.with_columns(pl.lit(place).alias(PLACE)).hstack(
                [last[one].alias(BEFORE + one) for one in last.columns if one != NUMBER]
            )

        def sample(some: Longs) -> pl.DataFrame:
            rows = model.fitted.sample(len(some), self.rng, given[some].select(model.given))
            if place and last is not None and by is not None:
                rows = rows.with_columns(_later(last[by][some], rows[by]))
            for column, beside in self._distances(name, first=not place).items():
                start = given[beside][some]
                moved = start.to_physical().cast(pl.Int64) + rows[column]
                physical = start.to_physical().dtype
                rows = rows.with_columns(moved.cast(physical).cast(start.dtype).alias(column))
            return rows

        return self._until_kept(name, sample, above, len(up))

    def _until_kept(
        self, name: str, sample: Callable[[Longs], pl.DataFrame], above: Mapping[str, Longs], n: int
    ) -> tuple[pl.DataFrame, Flags]:
        """Rows drawn again until they keep the rules; whether each does in the end."""
        rows = sample(np.arange(n))
        if rows.width == 0:
            rows = pl.DataFrame({"\0": np.zeros(n, dtype=np.int8)}).select([])
            return rows, np.ones(n, dtype=np.bool_)
        for _ in range(MOST_ROUNDS):
            kept = kept_rules(self.settings.rules, name, rows, self.made, above)
            bad = np.flatnonzero(~kept)
            if not len(bad):
                break
            again = sample(bad)
            place = np.arange(n)
            place[bad] = n + np.arange(len(bad))
            rows = pl.concat([rows, again], how="vertical_relaxed")[place]
        return rows, kept_rules(self.settings.rules, name, rows, self.made, above)

    def _fit(self, frame: pl.DataFrame, given: Sequence[str]) -> Fitted:
        return self.settings.generator.fit(Table(frame, Roles()), self.rng, given)


def _gaps(column: pl.Series, up: pl.Series) -> pl.Series:
    """How much later each row is than the one before it of the same parent."""
    numbers = column.to_physical().alias("value").to_frame().with_columns(up.alias("up"))
    gaps = numbers.select((pl.col("value") - pl.col("value").shift(1)).over("up")).to_series()
    return gaps.alias(column.name)


def _later(before: pl.Series, gaps: pl.Series) -> pl.Series:
    """The values after these gaps, none of which is negative."""
    numbers = before.to_physical()
    moved = numbers + gaps.fill_null(0).clip(0).cast(numbers.dtype)
    return moved.cast(before.dtype).alias(before.name)
