"""SparkRelease: a protected Spark frame with its checks; it gives data only if all hold."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microveil.display import Card, Shown, grid
from microveil.errors import RequirementNotMetError
from microveil.files import WriteReport
from microveil.files.reading_back import sha256
from microveil.files.targets import refuse_filled
from microveil.privacy import Check, strictest_parameters
from microveil.recipes import Recipe
from microveil.release.cautions import Caution, cautions_of
from microveil.release.counted_limits import check_counted_limits
from microveil.release.export_rules import leaving, state_of
from microveil.release.mending import say_mends
from microveil.release.release import StepFacts
from microveil.release.verifying import verify
from microveil.risk import Assessment, assess_table
from microveil.spark.table import SparkTable
from microveil.tables import Table, standings
from microveil.tables.names import free_name
from microveil.texts import join

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

GROUP_ROWS = 500_000
"""Largest number of rows in a row group."""


@dataclass(frozen=True, eq=False, repr=False)
class SparkRelease(Shown):
    """The result of a recipe on a Spark frame. Rows are computed when they are requested."""

    recipe: Recipe
    original: SparkTable = field(repr=False)
    table: SparkTable = field(repr=False)
    checks: tuple[Check, ...]
    facts: tuple[StepFacts, ...]
    order_seed: int = field(repr=False)

    @property
    def holds(self) -> bool:
        """Whether every requirement is met."""
        return all(check.holds for check in self.checks)

    @property
    def data(self) -> DataFrame:
        """The released Spark frame; raises an error if a requirement is broken."""
        self.require_all()
        return self._leaving()

    def leaving_columns(self) -> list[str]:
        """Columns that are released."""
        original = Table(self.original.head, self.recipe.roles)
        return leaving(self.recipe, self.table.columns, original)

    def _leaving(self) -> DataFrame:
        return self.table.frame.select(*_names(self.leaving_columns()))

    def require_all(self) -> None:
        """Raise unless every requirement is met."""
        broken = [check.sentence() for check in self.checks if not check.holds]
        if broken:
            mends = filter(None, [say_mends(self.checks, self.recipe)])
            raise RequirementNotMetError(join([*broken, *mends]))

    @cached_property
    def risk(self) -> Assessment:
        """Disclosure risk of the result."""
        return assess_table(
            self.table, missing=self.recipe.missing_keys, models=strictest_parameters
        )

    @cached_property
    def risk_before(self) -> Assessment:
        """Disclosure risk of the original."""
        return assess_table(
            self.original, missing=self.recipe.missing_keys, models=strictest_parameters
        )

    @cached_property
    def cautions(self) -> tuple[Caution, ...]:
        """What the requirements leave open, and keys that say nothing any more.

        Keys are judged only where requirements had them counted, and by the release alone.
        """
        after = standings(self.table, self.recipe.missing_keys) if self.recipe.models else None
        return cautions_of(self.recipe, self.table.columns, after=after)

    def card(self) -> Card:
        """Requirements and steps."""
        state, refusal = state_of(self)
        steps = [(i, one.method, str(dict(one.facts))[:80]) for i, one in enumerate(self.facts, 1)]
        lines = (*(repr(check) for check in self.checks), *refusal, *map(str, self.cautions))
        grids = (grid(("step", "method", "what it did"), steps),) if steps else ()
        return Card(f"Release of a Spark frame; it {state}", lines, grids)

    def write(self, path: str | Path, *, keep_order: bool = False) -> WriteReport:
        """Write Parquet files into a new folder; every requirement is checked again on them.

        Rows are written in random order unless ``keep_order``. The folder appears whole or not at
        all.
        """
        self.require_all()
        target = Path(path)
        refuse_filled(target)
        staging = target.with_name(f".{target.name}.{secrets.token_hex(4)}.partial")
        frame = self._leaving()
        try:
            _write(frame if keep_order else self._mix_rows(frame), staging)
            written = self._reread(staging)
            self._verify(written)
            if target.exists():
                target.rmdir()
            staging.replace(target)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
        return _report_written(target, len(frame.columns), shuffled=not keep_order)

    def check(self, table: SparkTable) -> tuple[Check, ...]:
        """Every requirement, checked on a frame with the released columns."""
        head = Table(self.original.head, self.recipe.roles)
        limits = check_counted_limits(
            self.recipe, head, (self.original, table), {}, self.original.may_hold
        )
        return (*verify(self.recipe, table), *limits)

    def _verify(self, written: SparkTable) -> None:
        broken = [check.sentence() for check in self.check(written) if not check.holds]
        if broken:
            raise RequirementNotMetError(
                f"{' '.join(broken)} It holds in the frame, but not in the files that were "
                "written, which were removed. Do the data change while they are read?"
            )

    def _reread(self, staging: Path) -> SparkTable:
        session = self.table.frame.sparkSession
        frame = session.read.parquet(os.fspath(staging))
        roles = self.table.roles
        gone = set(roles.named) - set(frame.columns)
        return SparkTable(frame, roles.without(gone), self.table.most_classes)

    def _mix_rows(self, frame: DataFrame) -> DataFrame:
        """The rows in random order, over all files.

        A row's place follows from its cells: a task that is tried again, and reads its rows in
        another order, gives each the same place, so that none is lost or written twice.
        """
        from pyspark.sql import functions

        place = free_name("microveil_place", frame.columns)
        secret = functions.lit(self.order_seed), functions.spark_partition_id()
        mixed = frame.withColumn(place, functions.xxhash64(*secret, *_names(frame.columns)))
        # As many files as a shuffle has partitions; fewer would leave cores idle.
        n_files = int(frame.sparkSession.conf.get("spark.sql.shuffle.partitions") or 1)
        return mixed.repartition(n_files, place).sortWithinPartitions(place).drop(place)


def _names(columns: list[str]) -> list[Any]:
    from microveil.spark.frames import col

    return [col(name) for name in columns]


def _write(frame: DataFrame, folder: Path) -> None:
    options = {"compression": "zstd", "parquet.block.row.count.limit": str(GROUP_ROWS)}
    frame.write.options(**options).parquet(os.fspath(folder))


def _report_written(folder: Path, n_columns: int, *, shuffled: bool) -> WriteReport:
    """What is in a folder; its checksum is that of the checksums of its files, by name."""
    from pyarrow.parquet import read_metadata

    files = sorted(folder.glob("*.parquet"))
    sums = "".join(f"{sha256(file)}  {file.name}\n" for file in files)
    return WriteReport(
        path=str(folder),
        format="parquet",
        n_rows=sum(int(read_metadata(file).num_rows) for file in files),
        n_columns=n_columns,
        shuffled=shuffled,
        read_back=True,
        n_bytes=sum(file.stat().st_size for file in files),
        sha256=hashlib.sha256(sums.encode()).hexdigest(),
    )


def with_checks(release: SparkRelease) -> SparkRelease:
    """The release with every requirement checked on its frame."""
    return replace(release, checks=release.check(release.table))
