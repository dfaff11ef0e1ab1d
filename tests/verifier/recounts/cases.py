"""Small random tables with their releases, and what each released cell means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

import microveil as mv

STAR = "*"
TREE = {"north": ["a", "b", "c"], "south": ["d", "e"]}
Row = dict[str, Any]
Meaning = Any
"""A value, None for missing, ``*``, or the set of the original values that a label stands for."""


@dataclass(frozen=True)
class Case:
    """A table and its release, as the library has them and as plain rows."""

    original: mv.Table
    released: mv.Table
    before: list[Row]
    """Cells of every original row."""
    after: list[dict[str, Meaning]]
    """What the cells of every released row mean."""
    origin: list[int]
    """The original row behind each released one."""
    people: list[Any] | None
    """The person of each original row."""

    @property
    def pairs(self) -> list[tuple[Row, dict[str, Meaning]]]:
        """Released rows beside their originals."""
        return [
            (self.before[row], after) for row, after in zip(self.origin, self.after, strict=True)
        ]

    def values(self, name: str) -> list[Any]:
        """Distinct original values, ascending."""
        return sorted({row[name] for row in self.before if row[name] is not None})


def make_case(
    seed: int, *, entity: bool = False, removed: bool = False, weight: bool = False
) -> Case:
    """Ages in intervals, towns in sets, pay with noise, some cells and rows gone."""
    rng = np.random.default_rng([seed, 26])
    n = int(rng.integers(14, 22))
    frame = pl.DataFrame(
        {
            "age": _gaps(rng, rng.integers(20, 40, n)),
            "town": _gaps(rng, rng.choice(list("abcde"), n)),
            "pay": rng.integers(0, 40, n) * 25.0,
            "rent": rng.integers(0, 15, n) * 10.0,
            "ill": rng.choice(["x", "y", "z"], n),
            "person": np.arange(n),
            "w": rng.choice([1.0, 2.0, 4.0], n),
        }
    )
    if entity:
        more = frame[rng.integers(0, n, n // 2)]
        moved = more["age"].to_numpy().astype(float) + rng.integers(0, 2, more.height)
        other = more.with_columns(age=pl.Series(moved).fill_nan(None).cast(pl.Int64))
        frame = pl.concat([frame, more, other])
    roles = mv.Roles(
        quasi_identifiers=["age", "town"],
        sensitive=["ill"],
        entity="person" if entity else None,
        weight="w" if weight else None,
    )
    original = mv.Table(frame, roles)
    rows = np.sort(rng.choice(len(frame), len(frame) - 4 * removed, replace=False))
    return _released(rng, original, rows)


def _gaps(rng: np.random.Generator, values: Any) -> pl.Series:
    """Some cells missing."""
    return pl.Series([None if rng.random() < 0.12 else one for one in values.tolist()])


def _released(rng: np.random.Generator, original: mv.Table, rows: Any) -> Case:
    kept = original.take(rows)
    before = original.frame.to_dicts()
    shown, meant = {}, {}
    for name, recode in (("age", _interval), ("town", _set)):
        cells = kept.frame[name].to_list()
        values = {row[name] for row in before if row[name] is not None}
        style = rng.choice(["plain", "labels", "mixed"])
        labelled = [style == "labels" or (style == "mixed" and rng.random() < 0.6) for _ in cells]
        made = [
            recode(cell, values) if label else (cell, cell)
            for cell, label in zip(cells, labelled, strict=True)
        ]
        if style != "plain":
            made = [(STAR, STAR) if rng.random() < 0.1 else one for one in made]
        made = [(None, None) if rng.random() < 0.1 else one for one in made]
        texts = [one[0] for one in made]
        plain = style == "plain"
        shown[name] = pl.Series(
            name, texts if plain else [None if one is None else str(one) for one in texts]
        )
        meant[name] = [one[1] for one in made]
    noise = rng.integers(-2, 3, len(rows)) * 12.5
    shown["pay"] = (kept.frame["pay"] + pl.Series(noise)).alias("pay")
    released = kept.with_columns(list(shown.values()))
    after = released.frame.to_dicts()
    for place, row in enumerate(after):
        row.update({name: cells_of[place] for name, cells_of in meant.items()})
    people = original.frame["person"].to_list() if original.roles.entity else None
    return Case(original, released, before, after, rows.tolist(), people)


def _interval(cell: Any, values: set[Any]) -> tuple[Any, Meaning]:
    """An age as [20, 25): all ages of the table in it."""
    if cell is None:
        return None, None
    low = cell - cell % 5
    return f"[{low}, {low + 5})", frozenset(one for one in values if low <= one < low + 5)


def _set(cell: Any, values: set[Any]) -> tuple[Any, Meaning]:
    """A town as {a, b, c}, with a town that nobody is in."""
    if cell is None:
        return None, None
    branch = next(members for members in TREE.values() if cell in members)
    return "{" + ", ".join(branch) + "}", frozenset(branch) & frozenset(values)


def covered(meaning: Meaning, values: Sequence[Any]) -> list[Any]:
    """The original values that a cell leaves possible; none for a missing one."""
    if meaning is None:
        return []
    if meaning == STAR:
        return list(values)
    if isinstance(meaning, frozenset):
        return sorted(meaning)
    return [meaning]
