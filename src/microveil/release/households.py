"""Households in a release: members who contradict each other reveal what was protected."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from microveil.methods.parts.households import Households
from microveil.tables import Table
from microveil.tables.kinds import is_nested
from microveil.texts import Message


def contradictions(
    original: Table,
    released: Table,
    columns: Sequence[str],
    known: Collection[tuple[str, str]] = (),
) -> Iterator[str]:
    """One sentence about the columns that were constant within households and no longer are.

    Only if the released table still shows who lives together. Columns that are ``known`` (with the
    id that gives them back) were told of already.
    """
    household = original.roles.household
    if household not in columns or household not in released.columns:
        return
    if released.rows is None and released.height != original.height:
        return
    before = original if released.rows is None else original.take(released.rows)
    homes = Households.of(before)
    if homes is None:
        return
    differing = {
        name: n
        for name in columns
        if name != household
        and (household, name) not in known
        and name in before.columns
        and homes.agree(before.frame[name])
        and (n := _differing(homes, released, name))
    }
    if differing:
        yield Message(
            "release.members_differ",
            "Column {names:quoted} was the same for all members of a household; in {differing:,} "
            "of {homes:,} households they now differ, and together tell more than each. Drop or "
            "mask '{household}', or use a step that treats households as one.",
            many="Each of the columns {names:quoted} was the same for all members of a household; "
            "in up to {differing:,} of {homes:,} households they now differ, and together tell "
            "more than each. Drop or mask '{household}', or use a step that treats households as "
            "one.",
            n=len(differing),
            names=list(differing),
            differing=max(differing.values()),
            homes=len(homes.first),
            household=household,
        )


def _differing(homes: Households, released: Table, name: str) -> int:
    column = released.frame[name]
    if is_nested(column.dtype):
        return 0
    apart = column.ne_missing(column.gather(homes.first[homes.of_record])).to_numpy()
    return len(np.unique(homes.of_record[apart]))
