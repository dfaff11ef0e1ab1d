"""SparkRelease: a protected Spark frame with its checks; it gives data only if all hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from microveil.display import Card, Shown, grid
from microveil.errors import InternalError, RequirementNotMetError
from microveil.files import WriteReport
from microveil.files.formats import place_beside
from microveil.privacy import Check, strictest_parameters
from microveil.recipes import Recipe
from microveil.registry.registering import Registration
from microveil.release.cautions import Caution, cautions_of
from microveil.release.counted_limits import check_counted_limits, needing_rows
from microveil.release.evidence import Evidence
from microveil.release.export_rules import leaving, state_of
from microveil.release.mending import say_mends
from microveil.release.release import StepFacts
from microveil.release.verifying import verify
from microveil.risk import Assessment, assess_table
from microveil.spark.comparing import counted_only
from microveil.spark.places import place_at
from microveil.spark.splitting import Split
from microveil.spark.table import SparkTable
from microveil.spark.writing import Writing
from microveil.tables import Table, standings
from microveil.tables.names import free_name
from microveil.texts import join

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Both = tuple[Table, Table]


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
    """The original and the released table on the driver, if a limit or a registry compares them."""
    registration: Registration | None = field(default=None, repr=False)
    """The release on its way into a registry."""

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
        return leaving(self.recipe, self.columns, original)

    @property
    def parts(self) -> Mapping[str, DataFrame]:
        """Further tables of the release, written beside the first one; raises as ``data`` does."""
        self.require_all()
        made = {} if self.split is None else self.split.parts
        return {name: self._leaving(part) for name, part in made.items()}

    @property
    def columns(self) -> list[str]:
        """Columns of the table and of further tables, before it is decided which are released."""
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
        return cautions_of(self.recipe, self.columns, after=after)

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
        all, and so do further tables, each in a folder beside it. ``path`` may also be an address
        that Spark reaches (:mod:`microveil.spark.places`): ``delta:FOLDER``, ``iceberg:NAME``,
        ``table:NAME``, or that of an object store.
        """
        return self.write_all(path, keep_order=keep_order)[0]

    def write_all(self, path: str | Path, *, keep_order: bool = False) -> tuple[WriteReport, ...]:
        """Write like :meth:`write`; what was written of the data comes first, then each part."""
        main, parts = self.data, self.parts
        frames = [main if keep_order else self._mix_rows(main), *parts.values()]
        shuffled = [not keep_order, *(True for _ in parts)]
        written = Writing(frames, shuffled, self._verify_written, self._noting)
        place = place_at(path)
        if place is not None:
            return written.at_places([place, *(place.beside(name) for name in parts)])
        return written.in_folders([Path(path), *(place_beside(path, name) for name in parts)])

    @contextmanager
    def _noting(self, reports: tuple[WriteReport, ...]) -> Iterator[None]:
        """Note in the registry what is about to be placed, and then that it was, or was not."""
        if self.registration is None:
            yield
            return
        witness = self.registration.witness(None, reports, self.checks)
        witness.begin()
        try:
            yield
        except BaseException:
            witness.withdraw()
            raise
        witness.finish()

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

    def _verify_written(self, frames: Sequence[DataFrame]) -> None:
        """Raise an error unless every requirement holds in tables that were written."""
        written = self._evidence_of(*frames)
        broken = [
            check.sentence() for check in self.check(written, on_files=True) if not check.holds
        ]
        if broken:
            raise RequirementNotMetError(
                f"{' '.join(broken)} It holds in the frame, but not in the files that were "
                "written, which were removed. Do the data change while they are read?"
            )

    def _evidence_of(self, frame: DataFrame, *parts: DataFrame) -> Evidence:
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


def with_checks(release: SparkRelease) -> SparkRelease:
    """The release with every requirement checked on its frame, and with earlier releases."""
    checks = release.check(release.evidence)
    if release.registration is not None:
        checks = (*checks, *release.registration.checks(release.table.height))
    return replace(release, checks=checks)
