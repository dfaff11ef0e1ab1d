"""SparkRelease: a protected Spark frame with its checks; it gives data only if all hold."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from microveil.display import Card, Shown, grid
from microveil.errors import InternalError, RequirementNotMetError
from microveil.files import WriteReport
from microveil.files.formats import place_beside
from microveil.files.reading_back import sha256
from microveil.files.targets import refuse_filled
from microveil.privacy import Check, strictest_parameters
from microveil.recipes import Recipe
from microveil.release.cautions import Caution, cautions_of
from microveil.release.counted_limits import check_counted_limits, needing_rows
from microveil.release.evidence import Evidence
from microveil.release.export_rules import leaving, state_of
from microveil.release.mending import say_mends
from microveil.release.release import StepFacts
from microveil.release.verifying import verify
from microveil.risk import Assessment, assess_table
from microveil.spark.comparing import counted_only
from microveil.spark.splitting import Split
from microveil.spark.table import SparkTable
from microveil.tables import Table, standings
from microveil.tables.names import free_name
from microveil.texts import join

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Both = tuple[Table, Table]
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
    split: Split | None = field(default=None, repr=False)
    """How the table is split into linked tables, if it is; ``table`` is then the first of them."""
    rows: Both | None = field(default=None, repr=False)
    """The original and the released table on the driver, if a limit compares records."""

    @property
    def holds(self) -> bool:
        """Whether every requirement is met."""
        return all(check.holds for check in self.checks)

    @property
    def data(self) -> DataFrame:
        """The released Spark frame; raises an error if a requirement is broken."""
        self.require_all()
        return self._leaving(self.table.frame)

    def leaving_columns(self) -> list[str]:
        """Columns that are released."""
        original = Table(self.original.head, self.recipe.roles)
        return leaving(self.recipe, self._columns, original)

    @property
    def parts(self) -> Mapping[str, DataFrame]:
        """Further tables of the release, written beside the first one; raises as ``data`` does."""
        self.require_all()
        made = {} if self.split is None else self.split.parts
        return {name: self._leaving(part) for name, part in made.items()}

    @property
    def _columns(self) -> list[str]:
        parts = {} if self.split is None else self.split.parts
        columns = [name for part in parts.values() for name in part.columns]
        return list(dict.fromkeys([*self.table.columns, *columns]))

    def _leaving(self, frame: DataFrame) -> DataFrame:
        may = set(self.leaving_columns())
        return frame.select(*_names([name for name in frame.columns if name in may]))

    @cached_property
    def evidence(self) -> Evidence:
        """The released tables as an intruder can combine them."""
        return Evidence(self.table) if self.split is None else self.split.evidence()

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
            self.evidence.records, missing=self.recipe.missing_keys, models=strictest_parameters
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
        records, missing = self.evidence.records, self.recipe.missing_keys
        after = standings(records, missing) if self.recipe.models else None
        return cautions_of(self.recipe, self._columns, after=after)

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
        all, and so do further tables, each in a folder beside it.
        """
        return self.write_all(path, keep_order=keep_order)[0]

    def write_all(self, path: str | Path, *, keep_order: bool = False) -> tuple[WriteReport, ...]:
        """Write like :meth:`write`; what was written of the data comes first, then each part."""
        main, parts = self.data, self.parts
        targets = [Path(path), *(place_beside(path, name) for name in parts)]
        for target in targets:
            refuse_filled(target)
        mark = secrets.token_hex(4)
        staged = [target.with_name(f".{target.name}.{mark}.partial") for target in targets]
        frames = [main if keep_order else self._mix_rows(main), *parts.values()]
        try:
            for frame, staging in zip(frames, staged, strict=True):
                _write(frame, staging)
            self._verify(self._reread(staged))
            _place(staged, targets)
        finally:
            for staging in staged:
                shutil.rmtree(staging, ignore_errors=True)
        told = [not keep_order, *(True for _ in parts)]
        return tuple(
            _report_written(target, len(frame.columns), shuffled=shuffled)
            for target, frame, shuffled in zip(targets, frames, told, strict=True)
        )

    def check(self, evidence: Evidence, *, on_files: bool = False) -> tuple[Check, ...]:
        """Every requirement, checked on frames with the released columns.

        On files, whose rows are in random order, limits that compare records are left out.
        """
        head, records = Table(self.original.head, self.recipe.roles), evidence.records
        recipe = counted_only(self.recipe) if on_files else self.recipe
        if self.rows is None and needing_rows(recipe):
            raise InternalError("Records are compared, and the driver does not have them.")
        rows = None if on_files else self.rows
        tables = (self.original, cast("SparkTable", records))  # made here, of Spark frames
        limits = check_counted_limits(recipe, head, tables, {}, self.original.may_hold, rows)
        return (*verify(self.recipe, evidence), *limits)

    def _verify(self, written: Evidence) -> None:
        broken = [
            check.sentence() for check in self.check(written, on_files=True) if not check.holds
        ]
        if broken:
            raise RequirementNotMetError(
                f"{' '.join(broken)} It holds in the frame, but not in the files that were "
                "written, which were removed. Do the data change while they are read?"
            )

    def _reread(self, staged: Sequence[Path]) -> Evidence:
        session = self.table.frame.sparkSession
        frame, *parts = (session.read.parquet(os.fspath(folder)) for folder in staged)
        if self.split is not None:
            return self.split.join(frame, dict(zip(self.split.parts, parts, strict=True)))
        roles = self.table.roles
        gone = set(roles.named) - set(frame.columns)
        return Evidence(SparkTable(frame, roles.without(gone), self.table.most_classes))

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


def _place(staged: Sequence[Path], targets: Sequence[Path]) -> None:
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
    return replace(release, checks=release.check(release.evidence))
