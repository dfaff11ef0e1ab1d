"""The level of each privacy model that a table satisfies, for assessments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from microveil.privacy.alpha_k_anonymity import value_shares
from microveil.privacy.beta_likeness import enhanced_beta, gains
from microveil.privacy.delta_disclosure import changes
from microveil.privacy.l_diversity import distinct_values, effective_values, recursive_ratios
from microveil.privacy.parts.base import finite
from microveil.privacy.parts.distribution import (
    Distribution,
    classes_beside,
    distribution,
    known_distribution,
)
from microveil.privacy.parts.earth_movers import equal_distances, ordered_distances
from microveil.tables import Classes, LazyTable, Table
from microveil.tables.kinds import has_order, is_nested

if TYPE_CHECKING:
    from collections.abc import Sequence


def strictest_parameters(classes: Classes, columns: Sequence[str] | None = None) -> dict[str, Any]:
    """Each model with the strictest parameter for which it holds, as plain data.

    ``columns`` defaults to the sensitive columns of the roles. None means that no parameter would
    do. Models that need a population or further parameters are left out.

    >>> from microveil.tables import Classes, Roles, Table
    >>> people = {"sex": ["f", "f", "m", "m"], "ill": ["flu", "no", "no", "flu"]}
    >>> table = Table(people, Roles(quasi_identifiers=["sex"], sensitive=["ill"]))
    >>> strictest_parameters(Classes.of(table))["l_diversity"]["ill"]["distinct"]
    2
    """
    found: dict[str, Any] = {"k_anonymity": classes.k, "average_risk": classes.average_risk}
    if columns is None:
        columns = () if classes.table is None else _flat(classes.table)
    for column in columns:
        others, _ = classes_beside(classes, column)
        values = distribution(others, column)
        of_column = _of_column(values, known_distribution(others, column, values))
        for model, value in of_column.items():
            found.setdefault(model, {})[column] = value
    return found


def _flat(table: Table | LazyTable) -> list[str]:
    """The sensitive columns whose cells are single values; sets are for k^m-anonymity."""
    schema = table.frame.schema if isinstance(table, Table) else table.schema
    return [name for name in table.roles.sensitive if not is_nested(schema[name])]


def _of_column(found: Distribution, known: Distribution) -> dict[str, Any]:
    """Each model of sensitive values for one column; l-diversity counts known values only."""
    if not found.n_classes:
        return {}
    closeness = {"equal": float(equal_distances(found).max())}
    if found.labels is not None and has_order(found.labels.dtype):
        closeness["ordered"] = float(ordered_distances(found).max())
    return {
        "l_diversity": {
            "distinct": int(distinct_values(known).min()),
            "entropy": float(effective_values(known).min()),
            # Recursive (c, 2)-diversity holds for every c above this.
            "recursive_c": finite(float(recursive_ratios(known).max())),
        },
        "t_closeness": closeness,
        "alpha_k_anonymity": float(value_shares(found).max()),
        "beta_likeness": {"basic": float(gains(found).max()), "enhanced": enhanced_beta(found)},
        "delta_disclosure": finite(float(changes(found).max())),
    }
