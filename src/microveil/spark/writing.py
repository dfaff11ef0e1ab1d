"""Tables of a release written by Spark: staged, verified, and then put in their places together."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from microveil.files import WriteReport
from microveil.files.reading_back import sha256
from microveil.files.targets import refuse_filled
from microveil.spark.places import (
    Place,
    move_place,
    read_place,
    refuse_taken,
    remove_place,
    write_place,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

GROUP_ROWS = 500_000
"""Largest number of rows in a row group."""

Reports = tuple[WriteReport, ...]


@dataclass(frozen=True, eq=False)
class Writing:
    """Frames to be written, and what must hold of what was written before it appears."""

    frames: Sequence[DataFrame]
    shuffled: Sequence[bool]
    verify: Callable[[Sequence[DataFrame]], None]
    """Raises an error unless every requirement holds in the tables that were written."""
    noting: Callable[[Reports], AbstractContextManager[None]]
    """Notes what is about to be placed."""

    def in_folders(self, targets: Sequence[Path]) -> Reports:
        """Write Parquet files to new folders of this machine."""
        for target in targets:
            refuse_filled(target)
        mark = secrets.token_hex(4)
        staged = [target.with_name(f".{target.name}.{mark}.partial") for target in targets]
        session = self.frames[0].sparkSession
        try:
            for frame, staging in zip(self.frames, staged, strict=True):
                _write(frame, staging)
            self.verify([session.read.parquet(os.fspath(folder)) for folder in staged])
            reports = tuple(
                report_folder(staging, target, len(frame.columns), shuffled=mixed)
                for staging, target, frame, mixed in zip(
                    staged, targets, self.frames, self.shuffled, strict=True
                )
            )
            with self.noting(reports):
                place_folders(staged, targets)
        finally:
            for staging in staged:
                shutil.rmtree(staging, ignore_errors=True)
        return reports

    def at_places(self, places: Sequence[Place]) -> Reports:
        """Write new tables to places that Spark reaches."""
        session = self.frames[0].sparkSession
        for place in places:
            refuse_taken(session, place)
        mark = secrets.token_hex(4)
        staged = [place.beside(f"microveil_{mark}") for place in places]
        made: list[Place] = []
        try:
            for frame, staging in zip(self.frames, staged, strict=True):
                made.append(staging)
                write_place(frame, staging)
            found = [read_place(session, staging) for staging in staged]
            self.verify(found)
            reports = tuple(
                WriteReport(
                    path=str(place),
                    format="parquet",
                    n_rows=frame.count(),
                    n_columns=len(frame.columns),
                    shuffled=mixed,
                    read_back=True,
                )
                for place, frame, mixed in zip(places, found, self.shuffled, strict=True)
            )
            with self.noting(reports):
                self._move(staged, places)
        finally:
            for staging in made:
                remove_place(session, staging)
        return reports

    def _move(self, staged: Sequence[Place], places: Sequence[Place]) -> None:
        """Put tables in their places; if one cannot be, those before it are taken back."""
        session, begun = self.frames[0].sparkSession, list[Place]()
        try:
            for staging, place in zip(staged, places, strict=True):
                refuse_taken(session, place)  # somebody else may have come first
                begun.append(place)
                move_place(session, staging, place)
        except BaseException:
            for place in begun:
                remove_place(session, place)
            raise


def _write(frame: DataFrame, folder: Path) -> None:
    options = {"compression": "zstd", "parquet.block.row.count.limit": str(GROUP_ROWS)}
    frame.write.options(**options).parquet(os.fspath(folder))


def place_folders(staged: Sequence[Path], targets: Sequence[Path]) -> None:
    """Move folders to their places; if one cannot be moved, those before it are taken back."""
    placed: list[Path] = []
    try:
        for staging, target in zip(staged, targets, strict=True):
            if target.exists():
                target.rmdir()
            staging.replace(target)
            placed.append(target)
    except BaseException:
        for target in placed:
            shutil.rmtree(target, ignore_errors=True)
        raise


def report_folder(folder: Path, target: Path, n_columns: int, *, shuffled: bool) -> WriteReport:
    """What is in a folder that is to be moved to its place."""
    from pyarrow.parquet import read_metadata

    files = sorted(folder.glob("*.parquet"))
    return WriteReport(
        path=str(target),
        format="parquet",
        n_rows=sum(int(read_metadata(file).num_rows) for file in files),
        n_columns=n_columns,
        shuffled=shuffled,
        read_back=True,
        n_bytes=sum(file.stat().st_size for file in files),
        sha256=sha256(folder),
    )
