"""States: the table after each step, kept in a private folder under the name of what made it."""

from __future__ import annotations

import os
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from microveil.methods import Outcome
from microveil.tables import Table


@dataclass(frozen=True)
class States:
    """Tables in a folder that nobody else can read; they go with the session.

    Only this program writes there, so that what is unpickled is its own.
    """

    folder: Path

    def has(self, key: str) -> bool:
        """Whether a state is there, whole."""
        return self._outcome(key).exists()

    def save(self, key: str, outcome: Outcome) -> None:
        """Save the outcome of a step, the table first: an outcome on disk is complete."""
        write_frame(outcome.table.frame, self._frame(key))
        table = outcome.table
        carried = (table.roles, table.rows, table.people, table.entity, table.synthetic)
        rest = (outcome.facts, outcome.parts, outcome.joined, outcome.secrets)
        staged = self._outcome(key).with_suffix(".part")
        staged.write_bytes(pickle.dumps((carried, rest)))
        staged.replace(self._outcome(key))

    def load(self, key: str) -> Outcome:
        """What a step made, with its table."""
        (roles, rows, people, entity, synthetic), rest = self._read(key)
        frame = read_frame(self._frame(key))
        table = Table(frame, roles, rows, people, entity=entity, synthetic=synthetic)
        return Outcome(table, *rest)

    def load_facts(self, key: str, instead: Table) -> Outcome:
        """The outcome of a step with another table in place of its own."""
        return Outcome(instead, *self._read(key)[1])

    def frame(self, key: str) -> pl.DataFrame:
        """The table of a state, read from where it lies."""
        return read_frame(self._frame(key))

    def rows(self, key: str) -> Any:
        """Position in the original of each row of a state; none while all are there in order."""
        return self._read(key)[0][1]

    def _read(self, key: str) -> Any:
        return pickle.loads(self._outcome(key).read_bytes())  # noqa: S301  our own, in a private folder

    def _frame(self, key: str) -> Path:
        return self.folder / f"{key}.arrow"

    def _outcome(self, key: str) -> Path:
        return self.folder / f"{key}.outcome"


def write_frame(frame: pl.DataFrame, path: Path) -> None:
    """Write a frame so that it can be looked at without reading it whole."""
    staged = path.with_suffix(".part")
    frame.write_ipc(staged, compression="uncompressed")
    staged.replace(path)


def read_frame(path: Path) -> pl.DataFrame:
    """A frame that stays on disk until its cells are asked for.

    It is read into memory where mapping it would change a type, and on Windows, which cannot delete
    a file that is mapped.
    """
    if os.name == "posix":
        frame = _map_frame(path)
        if frame is not None and frame.schema == pl.read_ipc_schema(path):
            return frame
    return pl.read_ipc(path)


def _map_frame(path: Path) -> pl.DataFrame | None:
    import pyarrow as pa

    try:
        found = pl.from_arrow(pa.ipc.open_file(pa.memory_map(str(path))).read_all())
    except (pa.ArrowException, pl.exceptions.PolarsError):  # types that Arrow does not know
        return None
    return found if isinstance(found, pl.DataFrame) else None
