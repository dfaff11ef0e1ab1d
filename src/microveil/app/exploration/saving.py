"""Finished points on disk, so that an exploration can be resumed.

A file is named after everything that determines its content: steps, roles, requirements, measures,
the shape of the data and 16 bits of their fingerprint, and the version. It holds parameters and
numbers; no cells, no seed and nothing from which a seed could be derived.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from microveil import __version__
from microveil.app.exploration.axes import Axis
from microveil.app.exploration.axis_values import AxisValue
from microveil.app.exploration.points import Setting, digest
from microveil.app.exploration.result import Point
from microveil.files.texts import make_folder, write_text
from microveil.tables import Table

FORMAT = 1


@dataclass(frozen=True)
class Folder:
    """Stores the finished points of one table and one set of measures."""

    place: Path
    subject: str
    """Digest of the data's shape, the measures and the version."""
    seeded: bool
    """Whether its points can be reproduced exactly."""

    @classmethod
    def open(cls, place: str | Path, table: Table, axes: Sequence[Axis], *, seeded: bool) -> Folder:
        """Open the folder, creating it if necessary."""
        path = make_folder(place)
        measures = [axis.label for axis in axes]
        shape = {name: str(dtype) for name, dtype in table.frame.schema.items()}
        facts = [FORMAT, __version__, measures, shape, table.height, fingerprint(table), seeded]
        return cls(path, digest(facts), seeded)

    def load(self, setting: Setting, number: int) -> Point | None:
        """The point of a setting, if it was finished and can be read."""
        path = self._path(setting)
        # Unreadable points are recomputed: the folder only saves time.
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            plain = json.loads(path.read_text(encoding="utf-8"))
            return _point(plain, setting, number)
        return None

    def save(self, setting: Setting, point: Point) -> None:
        """Save a finished point: the whole file or none."""
        plain = {"format": FORMAT} | point.to_dict()
        text = json.dumps(plain, indent=1, ensure_ascii=False, default=str, allow_nan=False)
        write_text(text + "\n", self._path(setting))

    def _path(self, setting: Setting) -> Path:
        return self.place / f"{digest([self.subject, setting.digest])[:20]}.json"


def _point(plain: dict[str, Any], setting: Setting, number: int) -> Point | None:
    if plain["format"] != FORMAT:
        return None
    by_axis = {name: AxisValue.from_dict(one) for name, one in plain["readings"].items()}
    return Point(
        number=number,
        recipe=setting.name,
        values=setting.values,
        holds=plain["holds"],
        by_axis=by_axis,
        seconds=float(plain["seconds"]),
        problem=plain["problem"],
    )


def fingerprint(table: Table) -> int:
    """16 bits that change with the data: enough to notice, far too few to reveal a cell.

    >>> fingerprint(Table({"a": [1, 2]})) == fingerprint(Table({"a": [1, 2]}))
    True
    """
    if not table.columns:
        return 0
    plain = [
        pl.Series(one.name, [str(cell) for cell in one])
        if one.dtype.is_nested() or one.dtype == pl.Object
        else one
        for one in table.frame
    ]
    rows = pl.DataFrame(plain).hash_rows(seed=1).to_numpy()
    # Row positions are included, since order matters to some steps. Products and sums wrap around.
    places = 2 * np.arange(len(rows), dtype=np.uint64) + np.uint64(1)
    return int((rows * places).sum(dtype=np.uint64)) >> 48
