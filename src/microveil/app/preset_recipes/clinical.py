"""Clinical data for publication: a re-identification risk of at most 0.09."""

from __future__ import annotations

import math
from collections.abc import Iterator

import polars as pl

from microveil.app.inspection import inspect
from microveil.app.suggesting import suggest
from microveil.errors import InputError
from microveil.recipes import Recipe
from microveil.tables import Roles

THRESHOLD = 0.09
"""Largest risk of a record accepted for publication: European Medicines Agency, external
guidance on Policy 0070 (2018); Health Canada, public release of clinical information (2019)."""


def clinical_publication(
    frame: pl.DataFrame, *, roles: Roles | None = None, threshold: float = THRESHOLD
) -> Recipe:
    """A recipe for the publication of clinical data: no record exceeds the risk threshold.

    Direct identifiers are dropped, quasi-identifiers coarsened and single cells suppressed until
    every class has 1/threshold records (12 for 0.09). The risk is computed within the table, which
    is conservative; with a file of similar trials, require ``k_map`` instead. No cell of the result
    may hold an address or number that leads to a person.
    """
    if not 0 < threshold < 1:
        raise InputError("The threshold is a share between 0 and 1, such as 0.09.")
    recipe = suggest(frame, roles, k=math.ceil(1 / threshold - 1e-9))
    limit = {"measure": "reidentification_risk", "at_most": threshold}
    plain = recipe.to_dict()
    nobody = {"measure": "safe_harbor", "contacts_only": True, "at_most": 0}
    return Recipe.parse({**plain, "require": [*plain["require"], limit, nobody]})


def problems(
    frame: pl.DataFrame, *, roles: Roles | None = None, threshold: float = THRESHOLD
) -> Iterator[str]:
    """Violations of the threshold in a table, as far as an inspection can see."""
    from microveil.risk import SafeHarbor, assess_table
    from microveil.tables import Table

    looked = inspect(frame)
    roles = looked.roles if roles is None else roles
    leading = SafeHarbor(contacts_only=True).measure(frame).parts["n_cells"]
    for name in dict.fromkeys((*looked.roles.identifiers, *leading)):
        yield f"Column '{name}' seems to identify people: leave it out."
    if not roles.quasi_identifiers:
        return
    k = assess_table(Table(frame, roles)).k
    if k and 1 / k > threshold + 1e-9:
        yield (
            f"The highest risk of a record is 1/{k} = {1 / k:.3g}, above {threshold:g}: the "
            f"smallest class needs {math.ceil(1 / threshold - 1e-9)} records."
        )
