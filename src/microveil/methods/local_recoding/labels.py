"""Published labels of each locally recoded class: the lowest label its records have in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from microveil.arrays import Floats, Ints, Longs
from microveil.hierarchies import STAR
from microveil.search.local_recoding.space import RecodingSpace
from microveil.tables.codes import pack


@dataclass(frozen=True, eq=False)
class ClassLabels:
    """The common labels of classes 0..max of records; records of class −1 have none."""

    space: RecodingSpace
    sizes: Longs
    low: Ints
    """(classes, keys) smallest code."""
    levels: Ints
    """(classes, keys) level of the common label."""

    @classmethod
    def of(cls, space: RecodingSpace, labels: Ints) -> ClassLabels:
        """Find the common labels of the records of each class."""
        from microveil.kernels.recoding.trees import common_levels

        n_classes = int(labels.max(initial=-1)) + 1
        kept = np.flatnonzero(labels >= 0)
        order = kept[np.argsort(labels[kept], kind="stable")]
        sizes = np.bincount(labels[kept], minlength=n_classes)
        starts = np.cumsum(sizes) - sizes
        low = np.empty((n_classes, len(space.keys)), dtype=np.int32)
        high = np.empty_like(low)
        rows = space.row_of_record[order]
        for j in range(len(space.keys)):
            codes = space.codes[:, j][rows]
            low[:, j] = np.minimum.reduceat(codes, starts)
            high[:, j] = np.maximum.reduceat(codes, starts)
        return cls(space, sizes, low, common_levels(space.trees, low, high))

    def cost_by_key(self) -> Floats:
        """Total cost of the cells of each key over all records; suppressed ones cost as ``*``."""
        n_out = self.space.n_records - int(self.sizes.sum())
        paid = np.empty(len(self.space.keys))
        for j, key in enumerate(self.space.keys):
            cost = key.cost[self.levels[:, j], self.low[:, j]]
            paid[j] = self.sizes @ cost + n_out * key.top
        return paid

    def mean_cost(self) -> float:
        """Mean cost of a record, where one that is all ``*`` costs 1."""
        return float(self.space.factors @ self.cost_by_key()) / max(self.space.n_records, 1)

    def level_shares(self) -> dict[str, list[float]]:
        """For each key, the share of the released records at each level."""
        n = max(int(self.sizes.sum()), 1)
        shares = {}
        for j, (stair, key) in enumerate(zip(self.space.stairs, self.space.keys, strict=True)):
            found = np.bincount(self.levels[:, j], weights=self.sizes, minlength=len(key.first))
            shares[stair.name] = (found / n).tolist()
        return shares

    def publish(self, frame: pl.DataFrame, labels: Ints) -> tuple[list[pl.Series], Ints]:
        """Published key columns of a frame of records with these classes, and the visible classes.

        Classes with equal labels are one. A key that no class had to generalise is unchanged,
        including its type.
        """
        columns, numbers = [], {}
        of_record = pl.Series(labels)
        for j, stair in enumerate(self.space.stairs):
            texts, of_class = self._texts(j)
            numbers[stair.name] = pl.Series(texts).gather(pl.Series(of_class))
            if stair.unlisted == "error" and not self.levels[:, j].any():
                columns.append(frame[stair.name])
            else:
                columns.append(numbers[stair.name].gather(of_record).alias(stair.name))
        seen = pl.DataFrame(numbers)
        _, classes = np.unique(pack(seen, seen.columns).values, return_inverse=True)
        return columns, classes.astype(np.int32)[labels]

    def _texts(self, j: int) -> tuple[pl.Series, Longs]:
        """The published labels of a key, and the label of each class."""
        key, stair = self.space.keys[j], self.space.stairs[j]
        n_codes = key.first.shape[1]
        places = self.levels[:, j].astype(np.int64) * n_codes
        places += key.first[self.levels[:, j], self.low[:, j]]
        used, of_class = np.unique(places, return_inverse=True)
        levels, values = used // n_codes, key.value_of_code[used % n_codes]
        texts: list[str | None] = [None] * len(used)
        for level in np.unique(levels):
            here = np.flatnonzero(levels == level)
            if level == stair.height:
                labels: list[str | None] = [STAR] * len(here)
            elif stair.hierarchy is None or stair.match is None:
                labels = [None] * len(here)
            else:
                # The values are followed by missing.
                every = stair.hierarchy.labels_of(stair.match, int(level)).extend_constant(None, 1)
                labels = every.gather(pl.Series(values[here])).to_list()
            for place, label in zip(here, labels, strict=True):
                texts[place] = label
        return pl.Series(stair.name, texts, dtype=pl.String), of_class
