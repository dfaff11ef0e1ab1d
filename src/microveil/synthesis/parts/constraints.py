"""Constraints on every synthetic record: rules, sums, and impossible combinations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Flags
from microveil.errors import InputError
from microveil.synthesis.parts.rules import Rule, check_rules, mend_all
from microveil.synthesis.parts.sums import Sum, check_sums, in_order
from microveil.tables.roles import check_columns
from microveil.texts import phrase

MOST_ROUNDS = 100
"""How often a record is redrawn before its rules are considered impossible."""


@dataclass(frozen=True, eq=False)
class Constraints:
    """Rules, sums and possible combinations, for records whose ``fixed`` columns are kept."""

    rules: tuple[Rule, ...]
    sums: tuple[Sum, ...]
    known: tuple[pl.DataFrame, ...]
    """The only combinations of some columns that may be drawn."""
    fixed: tuple[str, ...]

    @classmethod
    def of(
        cls,
        frame: pl.DataFrame,
        rules: Sequence[Rule],
        sums: Sequence[Sum],
        zeros: Sequence[Sequence[str]],
        fixed: Sequence[str],
    ) -> Constraints:
        """Check them against a table, and find the combinations that occur in it."""
        check_rules(rules, frame)
        check_sums(sums, frame, fixed)
        for columns in zeros:
            check_columns(columns, frame.columns)
        known = tuple(frame.select(columns).unique() for columns in zeros)
        return cls(tuple(rules), tuple(in_order(sums)), known, tuple(fixed))

    @property
    def derived(self) -> tuple[str, ...]:
        """Totals that follow from their parts and need no model."""
        return tuple(one.total for one in self.sums if one.total not in self.fixed)

    def mend(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Set the values that follow from rules and sums."""
        frame = mend_all(frame, self.rules, self.fixed)
        for one in self.sums:
            frame = one.mend(frame, self.fixed)
        return frame

    def find_broken(self, frame: pl.DataFrame) -> Flags:
        """Which records violate a constraint."""
        wrong = np.zeros(frame.height, dtype=np.bool_)
        for rule in self.rules:
            wrong |= rule.find_broken(frame).to_numpy()
        for one in self.sums:
            wrong |= one.find_broken(frame).to_numpy()
        for known in self.known:
            wrong |= ~_list(frame, known)
        return wrong

    def refuse(self, frame: pl.DataFrame) -> None:
        """Raise an error that counts the records violating each constraint."""
        counts = [
            *(
                (phrase("rule {i}", i=i), rule.find_broken(frame).sum())
                for i, rule in enumerate(self.rules, 1)
            ),
            *(
                (phrase("sum '{total}'", total=one.total), one.find_broken(frame).sum())
                for one in self.sums
            ),
            *(
                (
                    phrase("combinations of {columns}", columns=known.columns),
                    (~_list(frame, known)).sum(),
                )
                for known in self.known
            ),
        ]
        named = [
            phrase("{name} by {count}", name=name, count=count) for name, count in counts if count
        ]
        raise InputError(
            "{n_broken} of {n_records} records break a rule however often they are drawn: "
            "{named}. Loosen the rule, or synthesize the columns it names.",
            n_broken=int(self.find_broken(frame).sum()),
            n_records=frame.height,
            named=named,
        )


def drawn_until_kept(
    n: int, draw: Callable[[NDArray[np.int64]], pl.DataFrame], constraints: Constraints
) -> tuple[pl.DataFrame, int]:
    """``n`` records that satisfy the constraints, and how many had to be redrawn.

    ``draw`` returns a record for each of the given positions.
    """
    frame = constraints.mend(draw(np.arange(n)))
    broken = np.flatnonzero(constraints.find_broken(frame))
    n_again = 0
    for _ in range(MOST_ROUNDS):
        if not len(broken):
            return frame, n_again
        n_again += len(broken)
        again = constraints.mend(draw(broken))
        source = np.arange(n)
        source[broken] = n + np.arange(len(broken))
        frame = pl.concat([frame, again])[source]
        broken = broken[constraints.find_broken(again)]
    constraints.refuse(frame)
    return frame, n_again


def _list(frame: pl.DataFrame, known: pl.DataFrame) -> Flags:
    listed = known.with_columns(pl.lit(True).alias("__listed"))
    joined = frame.select(known.columns).join(
        listed, on=known.columns, how="left", nulls_equal=True, maintain_order="left"
    )
    return joined["__listed"].is_not_null().to_numpy()
