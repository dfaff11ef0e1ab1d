"""Newcomers: what a class has gained or lost since an earlier release of the same recoding.

Who has both releases can subtract one class from the other. If a class has gained one person, the
difference is that person's record (Byun et al. 2006; Fung et al. 2008).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from microveil.registry.signatures import Signatures


@dataclass(frozen=True)
class Arrivals:
    """People whom the difference between two releases leaves in a group of fewer than k."""

    n_joined: int
    """In the new release only, in a class that the earlier one has, too."""
    n_left: int
    """In the earlier release only."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return dict(self.__dict__)


def count_arrivals(earlier: Signatures, new: Signatures, k: int) -> Arrivals | None:
    """Newcomers and leavers of classes that both releases have; None if keys differ."""
    if set(earlier.keys) != set(new.keys) or not new.keys:
        return None
    shared = _shared_classes(earlier, new)
    before, after = _people(earlier, shared[0]), _people(new, shared[1])
    return Arrivals(_few(after, before, k), _few(before, after, k))


def _shared_classes(earlier: Signatures, new: Signatures) -> tuple[Any, Any]:
    """For the classes of each release, their number among those that both have; -1 elsewhere."""
    order = [earlier.keys.index(key) for key in new.keys]
    names = [f"c{place}" for place in range(len(new.keys))]
    frames = [
        pl.DataFrame(dict(zip(names, cells.T, strict=True)))
        for cells in (earlier.cells[:, order], new.cells)
    ]
    both = frames[0].join(frames[1], on=names, how="semi").with_row_index("number")
    found = [
        one.join(both, on=names, how="left", maintain_order="left")["number"]
        .cast(pl.Int64)
        .fill_null(-1)
        .to_numpy()
        for one in frames
    ]
    return found[0], found[1]


def _people(release: Signatures, numbers: Any) -> pl.DataFrame:
    classes = np.asarray(numbers)[release.classes]
    rows = pl.DataFrame({"person": release.people, "class": classes})
    return rows.filter((pl.col("class") >= 0) & (pl.col("person") != 0)).unique()


def _few(those: pl.DataFrame, others: pl.DataFrame, k: int) -> int:
    """People in a class of the one but not of the other release, where they are fewer than k."""
    alone = those.join(others, on=["person", "class"], how="anti")
    sizes = alone.group_by("class").agg(pl.len().alias("n"))
    return int(sizes.filter(pl.col("n") < k)["n"].sum())
