"""People: a population whose keys are generalised together with those of the searched table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Longs
from microveil.hierarchies import Distinct
from microveil.populations.population_file import read_population
from microveil.privacy import DeltaPresence, KMap, PrivacyModel
from microveil.privacy.parts.sensitive import ROUNDING
from microveil.search.lattice.space import Levels, Space
from microveil.tables import Classes, Table
from microveil.tables.names import free_name

if TYPE_CHECKING:
    from microveil.kernels.lattice.groups import Groups
    from microveil.kernels.lattice.population import Crowd

PopulationModel = KMap | DeltaPresence
LARGE = 4
"""Population rows per class of a node above which they are rolled up too."""
MOST_SNAPSHOTS = 64


def with_population(models: Sequence[PrivacyModel]) -> tuple[PopulationModel, ...]:
    """The models that look keys up in a population file."""
    return tuple(
        model
        for model in models
        # A user's subclass may judge differently, whatever it is derived from.
        if isinstance(model, PopulationModel)
        and type(model) in (KMap, DeltaPresence)
        and model.population is not None
    )


@dataclass(frozen=True, eq=False)
class People:
    """A population, and the models that use it."""

    space: Space
    crowd: Crowd
    models: tuple[PopulationModel, ...]
    snapshots: list[tuple[Levels, Crowd]] = field(default_factory=list)
    """Levels, and the distinct rows there, which suffice for all coarser levels."""

    @classmethod
    def all_of(
        cls, models: Sequence[PrivacyModel], table: Table, space: Space
    ) -> tuple[People, ...]:
        """Read each population once, in the coding of the table before generalisation."""
        asking: dict[str, list[PopulationModel]] = {}
        for model in with_population(models):
            asking.setdefault(str(model.population), []).append(model)
        first = Classes.of(table.filter(np.arange(table.height) == 0), space.names)
        return tuple(
            cls(space, _crowd(read_population(path, first), space), tuple(some))
            for path, some in asking.items()
        )

    def counts(self, levels: Levels, groups: Groups) -> Longs:
        """People in each class of a node, followed by those in no class."""
        from microveil.kernels.lattice.population import people_of_groups

        crowd = self._finer(levels)
        if len(crowd.amounts) > LARGE * len(groups.counts) and len(self.snapshots) < MOST_SNAPSHOTS:
            crowd = _rolled_up(crowd, levels)
            self.snapshots.append((levels, crowd))
        at = np.array(levels, dtype=np.int64)
        return people_of_groups(groups, self.space.layout, crowd, at)

    def _finer(self, levels: Levels) -> Crowd:
        """The smallest set of rows from which those at given levels can be derived."""
        best = self.crowd
        for low, crowd in tuple(self.snapshots):
            if len(crowd.amounts) < len(best.amounts) and all(
                a <= b for a, b in zip(low, levels, strict=True)
            ):
                best = crowd
        return best

    def find_broken(self, people: Longs, sizes: Longs, out: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Classes that violate a model, given who is suppressed; all if the whole table does."""
        broken = np.zeros(len(sizes), dtype=np.bool_)
        for model in self.models:
            if isinstance(model, KMap):
                broken |= people[:-1] < model.k * (1 - ROUNDING)
                continue
            with np.errstate(divide="ignore"):
                present = sizes / people[:-1]
            broken |= present > model.maximum + ROUNDING
            broken |= present < model.minimum - ROUNDING
            # People who share the keys of no remaining record are known to be absent.
            n_absent = int(people[-1] + people[:-1][out == 1].sum())
            if n_absent and model.minimum > ROUNDING:
                broken[:] = True
        return broken


def _crowd(population: pl.DataFrame, space: Space) -> Crowd:
    from microveil.kernels.lattice.population import Crowd

    names = list(space.names)
    n = free_name("n", names)
    counted = population.group_by(names, maintain_order=True).len(n)
    columns = [Distinct.of(counted[name]) for name in names]
    start = np.zeros((len(names), max(stair.height for stair in space.stairs) + 1), np.int64)
    parts = []
    end = 0
    for key, (stair, column) in enumerate(zip(space.stairs, columns, strict=True)):
        labels = stair.labels_of_others(column)
        start[key, : len(labels)] = end + np.arange(len(labels)) * labels.shape[1]
        parts.append(labels.ravel())
        end += labels.size
    codes = np.stack([column.of_record.astype(np.int32) for column in columns], axis=1)
    return Crowd(
        np.ascontiguousarray(codes),
        counted[n].cast(pl.Int64).to_numpy().copy(),
        start,
        np.concatenate(parts),
    )


def _rolled_up(crowd: Crowd, levels: Levels) -> Crowd:
    """The distinct rows at given levels, one representing all that are equal."""
    from microveil.kernels.lattice.groups import number_groups

    columns = []
    for key, level in enumerate(levels):
        codes = crowd.codes[:, key]
        # Values that occur in no record, and so have no label at level 0, may differ further up.
        columns.append(codes if level == 0 else crowd.label[crowd.start[key, level] + codes] + 1)
    words = np.stack(columns, axis=1).astype(np.uint64)
    numbers, first = number_groups(words)
    amounts = np.zeros(len(first), dtype=np.int64)
    np.add.at(amounts, numbers, crowd.amounts)
    return crowd._replace(codes=np.ascontiguousarray(crowd.codes[first]), amounts=amounts)
