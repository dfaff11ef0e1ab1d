"""Tabulate: several tables from microdata, safe together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from microveil.arrays import Flags, Floats, Longs
from microveil.errors import InputError
from microveil.progress import Progress, shows_progress, silent
from microveil.specs import Spec
from microveil.tables import Roles, Table, as_table
from microveil.tabulation.audit import TOLERANCE, Intervals, audit_cells
from microveil.tabulation.building import build_cells
from microveil.tabulation.cells import Cells
from microveil.tabulation.protections import PROTECTIONS, CellKeys, RoundCells, Suppress
from microveil.tabulation.rules import RULES, Judgement, PrimaryRule, Threshold
from microveil.tabulation.tables import ProtectedFamily, ProtectedTables, merge_judgements
from microveil.tabulation.tabulation import Tabulation, as_tabulations


@shows_progress
def tabulate(
    data: Any,
    tabulations: Tabulation | Sequence[Tabulation | dict[str, Any]],
    *,
    roles: Roles | None = None,
    rules: Sequence[PrimaryRule | dict[str, Any]] = (),
    protect: Spec | dict[str, Any] | None = None,
    seed: int | None = None,
    progress: Progress = silent,
) -> ProtectedTables:
    """Make several tables that are safe together: a cell that two of them show is one number.

    ``rules`` find unsafe cells; by default a cell needs three contributors. ``protect`` is
    :class:`Suppress` (the default), :class:`RoundCells` or :class:`CellKeys`. After a suppression
    the audit computes what an intruder can learn of every unsafe cell from all tables together.
    ``data`` is a frame, or one frame per tabulation.

    >>> frame = {"town": ["a"] * 5 + ["b"] * 7, "sex": list("fffffm" * 2)}
    >>> made = tabulate(frame, Tabulation(by=["town", "sex"]))
    >>> made.facts[0]["n_unsafe"], made.holds
    (2, True)
    """
    asked = as_tabulations(tabulations)
    if not asked:
        raise InputError("Name at least one table: tabulations=[Tabulation(by=[…])].")
    chosen = [one if isinstance(one, PrimaryRule) else RULES.parse(one) for one in rules]
    protection = _protection(protect)
    _check_means(asked, protection)
    tables = _tables(data, len(asked), roles)
    keys = _record_keys(tables, protection)
    families = [
        _protect(cells, chosen or [Threshold()], protection, seed, progress)
        for cells in build_cells(tables, asked, keys)
    ]
    return ProtectedTables(tuple(families), tuple(chosen), protection)


def _check_means(tabulations: Sequence[Tabulation], protection: Spec) -> None:
    """Refuse means that cannot be told from their cells."""
    for table in tabulations:
        if table.shown_statistic != "mean" or isinstance(protection, CellKeys):
            continue
        if table.weight or table.cells or not isinstance(protection, Suppress):
            msg = (
                "A mean is made from records without weights and protected by suppression. "
                "Tabulate the sum and the count instead."
            )
            raise InputError(msg)


def _protection(given: Spec | dict[str, Any] | None) -> Spec:
    if given is None:
        return Suppress()
    return given if isinstance(given, Spec) else PROTECTIONS.parse(given)


def _tables(data: Any, n: int, roles: Roles | None) -> list[Table]:
    """The table behind each tabulation."""
    if not isinstance(data, list | tuple):
        return [as_table(data, roles)] * n
    if len(data) != n:
        msg = f"There are {len(data)} frames for {n} tables: give one frame, or one for each."
        raise InputError(msg)
    return [as_table(one, roles) for one in data]


def _record_keys(tables: Sequence[Table], protection: Spec) -> list[Longs | None]:
    """The record keys behind each tabulation, where the protection needs them."""
    if not isinstance(protection, CellKeys):
        return [None] * len(tables)
    known: dict[int, Longs] = {}
    for table in tables:
        if id(table) not in known:
            known[id(table)] = protection.keys_of(table.frame)
    return [known[id(table)] for table in tables]


def _protect(
    cells: Cells,
    rules: Sequence[PrimaryRule],
    protection: Spec,
    seed: int | None,
    progress: Progress,
) -> ProtectedFamily:
    """Judge, protect and audit the cells of one family of tables."""
    judged = merge_judgements([rule.judge(cells) for rule in rules])
    if isinstance(protection, Suppress):
        return _suppress(cells, judged, protection, progress)
    if isinstance(protection, RoundCells):
        published = protection.round_values(cells, np.random.default_rng(seed))
    elif isinstance(protection, CellKeys):
        published = protection.perturb(cells)
    else:
        raise InputError("'{kind}' is no protection of tables.", kind=protection.kind())
    return ProtectedFamily(cells, judged, published, None, 0, None, None)


def _suppress(
    cells: Cells, judged: Judgement, protection: Suppress, progress: Progress
) -> ProtectedFamily:
    chosen = protection.choose(cells, judged, np.zeros(cells.n_cells, dtype=np.bool_))
    unsafe = np.flatnonzero(judged.unsafe)
    floor = np.full(cells.n_cells, -np.inf if (cells.values < 0).any() else 0.0)
    audit = audit_cells(cells.system, chosen.hidden, unsafe, floor, progress=progress)
    published = np.where(chosen.hidden, np.nan, cells.values)
    n_disclosed = int(_too_narrow(cells, judged, audit, floor).sum())
    return ProtectedFamily(cells, judged, published, audit, n_disclosed, chosen.price, chosen.bound)


def _too_narrow(cells: Cells, judged: Judgement, audit: Intervals, floor: Floats) -> Flags:
    """Unsafe cells whose interval does not reach as far as it must, or is a single number."""
    at = audit.cells
    values = cells.values[at]
    error = TOLERANCE * np.maximum(1.0, np.abs(values))
    low = np.maximum(values - judged.lower[at], floor[at])
    return np.asarray(
        (audit.upper < values + judged.upper[at] - error)
        | (audit.lower > low + error)
        | (audit.upper - audit.lower <= error)
    )
