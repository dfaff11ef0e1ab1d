"""Requirements on all releases together, where nobody knows the earlier ones: they do not hold."""

from __future__ import annotations

import numpy as np

from microveil.privacy import Check
from microveil.recipes import Recipe
from microveil.texts import Message


def across_unknown(recipe: Recipe, n_records: int) -> tuple[Check, ...]:
    """A check that fails for each requirement on all releases, until a registry is asked."""
    return tuple(
        Check(
            model=one.kind(),
            title=Message("title.across_releases", "{k} people alike across releases", k=one.k),
            required=one.k,
            achieved=0.0,
            broken_in=np.zeros(0, dtype=np.int64),
            n_broken=n_records,
            n_records=n_records,
            kept_as_a_whole=False,
            notes=(
                Message(
                    "across.unknown",
                    "Earlier releases are not known: run with a registry (--registry FILE).",
                ),
            ),
        )
        for one in recipe.across
    )
