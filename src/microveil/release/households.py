"""Households in a release: members who contradict each other reveal what was protected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from microveil.methods.parts.households import Households
from microveil.tables import Table


def contradictions(original: Table, released: Table, columns: Sequence[str]) -> Iterator[str]:
    """A sentence for each column that was constant within households and no longer is.

    Only if the released table still shows who lives together.
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
    for name in columns:
        if name == household or name not in before.columns or not homes.agree(before.frame[name]):
            continue
        differing = _differing(homes, released, name)
        if differing:
            yield (
                f"Column '{name}' was the same for all members of a household; in {differing} of "
                f"{len(homes.first)} households they now differ, and together tell more than each. "
                f"Drop or mask '{household}', or use a step that treats households as one."
            )


def _differing(homes: Households, released: Table, name: str) -> int:
    column = released.frame[name]
    if column.dtype.is_nested():
        return 0
    apart = column.ne_missing(column.gather(homes.first[homes.of_record])).to_numpy()
    return len(np.unique(homes.of_record[apart]))
