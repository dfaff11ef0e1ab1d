"""Marginals: noisy tables of several columns, ready for publication."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from microveil.dp.answering import answer, as_loss
from microveil.dp.prepared import Prepared, prepare
from microveil.dp.queries import Contingency
from microveil.errors import QueryError


def marginals(
    table: Any,
    declaration: Any,
    tables: Iterable[Iterable[str] | str],
    spend: Any,
    *,
    public: Mapping[str, Any] | None = None,
    nonnegative: bool = False,
) -> dict[tuple[str, ...], pl.DataFrame]:
    """Noisy counts for each set of columns, the spend split evenly over the sets.

    ``nonnegative`` sets negative counts to 0: they look better but add up to too much.
    """
    ready = table if isinstance(table, Prepared) else prepare(table, declaration, public)
    wanted = [(one,) if isinstance(one, str) else tuple(one) for one in tables]
    if not wanted:
        raise QueryError("Name at least one set of columns.")
    share = as_loss(spend) * f"1/{len(wanted)}"
    made = {}
    for columns in wanted:
        frame = answer(Contingency(columns=columns), ready, spend=share).frame
        made[columns] = (
            frame.with_columns(pl.col("value", "low").clip(lower_bound=0)) if nonnegative else frame
        )
    return made
