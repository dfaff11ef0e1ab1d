"""Sensitive values that a person's classes have in common, and m-invariance.

Who knows a person's class in two releases knows that the sensitive value is in both. If the classes
have one value in common, it is the person's, should it not have changed (Ganta, Kasiviswanathan &
Smith 2008). A sequence of releases is m-invariant if every class has at least m values and a
person's classes always have the same ones (Xiao & Tao 2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from microveil.registry.joining import JoinedPeople


@dataclass(frozen=True)
class CommonValues:
    """What the classes of people have in common in one sensitive column."""

    column: str
    n_people: int
    """People whose classes were compared."""
    least: int
    """The fewest values in common; m, if nobody's values changed."""
    n_disclosed: int
    """People whose classes have one value in common, though each class alone has several."""
    n_changed: int
    """People whose classes do not always have the same values: it is not m-invariant."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**self.__dict__, "m_invariant": self.n_changed == 0}


def compare_values(joined: JoinedPeople) -> tuple[CommonValues, ...]:
    """What people's classes have in common, for each sensitive column of all releases."""
    if any(one.linked for one in joined.releases):
        return ()
    shared = [
        name
        for name in joined.releases[-1].sensitive
        if all(name in one.sensitive for one in joined.releases)
    ]
    return tuple(filter(None, (_compare_column(joined, name) for name in shared)))


def _compare_column(joined: JoinedPeople, column: str) -> CommonValues | None:
    if not joined.rows.height:
        return None
    found = _by_person(joined, column)
    return CommonValues(
        column,
        n_people=found.height,
        least=int(found["n_common"].min() or 0),  # type: ignore[arg-type]  # a column of integers
        n_disclosed=int(((found["n_common"] == 1) & (found["n_least"] > 1)).sum()),
        n_changed=int((found["n_common"] < found["n_most"]).sum()),
    )


def _by_person(joined: JoinedPeople, column: str) -> pl.DataFrame:
    """For each person: values in common, and the fewest and most values of one class."""
    names = list(joined.names)
    ways = joined.rows.select(names).unique().with_row_index("way")
    values = {
        name: one.sensitive[column].select(pl.col("class").alias(name), "value")
        for name, one in zip(names, joined.releases, strict=True)
    }
    common = ways.join(values[names[-1]], on=names[-1])
    for name in names[:-1]:
        absent = common.filter(pl.col(name).is_null())
        common = pl.concat([absent, common.join(values[name], on=[name, "value"], how="semi")])
    counts = common.group_by("way").agg(pl.len().cast(pl.Int64).alias("n_common"))
    ways = ways.join(counts, on="way", how="left").with_columns(pl.col("n_common").fill_null(0))
    for name in names:
        sizes = values[name].group_by(name).agg(pl.len().cast(pl.Int64).alias(f"n {name}"))
        known = pl.when(pl.col(name).is_not_null()).then(pl.col(f"n {name}").fill_null(0))
        ways = ways.join(sizes, on=name, how="left").with_columns(known.alias(f"n {name}"))
    widths = [f"n {name}" for name in names]
    ways = ways.with_columns(
        pl.min_horizontal(widths).alias("n_least"), pl.max_horizontal(widths).alias("n_most")
    )
    found = joined.rows.join(ways, on=names, nulls_equal=True).select(
        "person", "n_common", "n_least", "n_most"
    )
    if joined.single:
        return found.drop("person")
    smallest = pl.col("n_common", "n_least").min()
    return found.group_by("person").agg(smallest, pl.col("n_most").max()).drop("person")
