"""Tabulate: several tables from microdata, safe together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np
import polars as pl

from microveil.errors import InputError
from microveil.progress import Progress, shows_progress, silent
from microveil.specs import Spec
from microveil.tables import Roles, as_table
from microveil.tabulation.audit import verify_pattern
from microveil.tabulation.building import build_cells
from microveil.tabulation.cells import Cells
from microveil.tabulation.earlier import Earlier, as_earlier, shown_before
from microveil.tabulation.knowledge import Knowledge
from microveil.tabulation.protections import (
    PROTECTIONS,
    CellKeys,
    RoundCells,
    RoundSmallCounts,
    Suppress,
)
from microveil.tabulation.rules import RULES, Judgement, PrimaryRule, Threshold
from microveil.tabulation.sources.opening import open_records
from microveil.tabulation.sources.record_source import RecordSource
from microveil.tabulation.statuses import CellStatus, Given, as_statuses, refuse_unknown
from microveil.tabulation.tables import ProtectedFamily, ProtectedTables, merge_judgements
from microveil.tabulation.tabulation import Tabulation, as_tabulations

MOST_ROUNDS = 10
"""How often a pattern is mended by what the audit finds."""
A_MOMENT = 0.01
"""Seconds that a search is given when its time is up: it then keeps to the heuristic pattern."""


@dataclass(frozen=True, eq=False)
class _Request:
    """What is asked of every family of tables."""

    rules: tuple[PrimaryRule, ...]
    protection: Spec
    statuses: tuple[CellStatus, ...]
    earlier: tuple[Earlier, ...]
    released: pl.DataFrame | None
    seed: int | None
    progress: Progress


@shows_progress
def tabulate(  # noqa: PLR0913  all but two are the caller's to leave open
    data: Any,
    tabulations: Tabulation | Sequence[Tabulation | dict[str, Any]],
    *,
    roles: Roles | None = None,
    rules: Sequence[PrimaryRule | dict[str, Any]] = (),
    protect: Spec | dict[str, Any] | None = None,
    statuses: Sequence[CellStatus | dict[str, Any]] = (),
    earlier: Sequence[Any] = (),
    released: Any = None,
    seed: int | None = None,
    progress: Progress = silent,
) -> ProtectedTables:
    """Make several tables that are safe together: a cell that two of them show is one number.

    ``rules`` find unsafe cells; by default a cell needs three contributors. ``protect`` is
    :class:`Suppress` (the default), :class:`RoundCells` or :class:`CellKeys`. After a suppression
    the audit computes what an intruder can learn of every unsafe cell from all tables together.
    ``data`` is a frame, or one frame per tabulation. A path, the address of a database, a lazy
    frame, a relation of DuckDB or an iterator of frames is read part by part, and need not fit into
    memory. ``statuses`` say beforehand which cells must,
    may not or need not be suppressed. ``earlier`` are tables that were published before, as pairs
    of a tabulation and a frame; ``released`` are true records that were released: both count as
    known.

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
    sources = _sources(data, asked, roles)
    before = tuple(as_earlier(earlier))
    request = _Request(
        tuple(chosen) or (Threshold(),),
        protection,
        tuple(as_statuses(statuses)),
        before,
        None if released is None else as_table(released).frame,
        seed,
        progress,
    )
    families = _count(sources, asked, request)
    refuse_unknown(families, request.statuses)
    made = [_protect(cells, request) for cells in families]
    known = tuple(one.tabulation for one in before)
    return ProtectedTables(tuple(made), request.rules, protection, known)


def _count(
    sources: Sequence[RecordSource], asked: Sequence[Tabulation], request: _Request
) -> list[Cells]:
    """Count the tables, and the earlier ones with them, which come last in each family."""
    every = [*asked, *(one.tabulation for one in request.earlier)]
    behind = [*sources, *([sources[0]] * len(request.earlier))]
    protection = request.protection
    keys = protection.key_reader() if isinstance(protection, CellKeys) else None
    empty = any(rule.looks_at_empty for rule in request.rules)
    families = build_cells(behind, every, keys, empty=empty)
    wanted = set(map(id, asked))
    return [
        cells for cells in families if any(id(table.tabulation) in wanted for table in cells.tables)
    ]


def _check_means(tabulations: Sequence[Tabulation], protection: Spec) -> None:
    """Refuse means that cannot be told from their cells."""
    for table in tabulations:
        if table.shown_statistic != "mean":
            continue
        if table.weight or table.cells or not isinstance(protection, Suppress | CellKeys):
            raise InputError(
                "A mean is made from records without weights, and protected by suppression or by "
                "cell keys. Tabulate the sum and the count instead."
            )


def _protection(given: Spec | dict[str, Any] | None) -> Spec:
    if given is None:
        return Suppress()
    return given if isinstance(given, Spec) else PROTECTIONS.parse(given)


def _sources(data: Any, asked: Sequence[Tabulation], roles: Roles | None) -> list[RecordSource]:
    """The records behind each tabulation."""
    n = len(asked)
    if not isinstance(data, list | tuple):
        whole = any(one.cells is not None for one in asked)
        return [open_records(data, roles, whole=whole)] * n
    if len(data) != n:
        raise InputError(
            "There are {n_frames} frames for {n} tables: give one frame, or one for each.",
            n_frames=len(data),
            n=n,
        )
    return [
        open_records(one, roles, whole=table.cells is not None)
        for one, table in zip(data, asked, strict=True)
    ]


def _protect(cells: Cells, request: _Request) -> ProtectedFamily:
    """Judge, protect and audit the cells of one family of tables."""
    given = Given.of(cells, request.statuses)
    found = merge_judgements([rule.find(cells) for rule in request.rules])
    judged = given.amend(found, cells)
    protection = request.protection
    if isinstance(protection, Suppress):
        return _suppress(cells, judged, given, protection, request)
    if isinstance(protection, RoundCells):
        published = protection.round_values(cells, np.random.default_rng(request.seed))
    elif isinstance(protection, RoundSmallCounts):
        published = protection.round_values(cells)
    elif isinstance(protection, CellKeys):
        published, counts = protection.perturb(cells, judged.unsafe)
        return ProtectedFamily(cells, judged, published, counts=counts)
    else:
        raise InputError("'{kind}' is no protection of tables.", kind=protection.kind())
    return ProtectedFamily(cells, judged, published)


def _suppress(
    cells: Cells, judged: Judgement, given: Given, protection: Suppress, request: _Request
) -> ProtectedFamily:
    known = Knowledge.of(cells)
    if request.released is not None:
        known = known.with_records(cells, request.released)
    given = _with_earlier(cells, given, request.earlier)
    judged = given.amend(judged, cells)
    against: list[tuple[int, int]] = []
    until = process_time() + protection.seconds
    for _ in range(MOST_ROUNDS):
        left = max(until - process_time(), A_MOMENT)
        in_time = protection.model_copy(update={"seconds": left})
        chosen = in_time.choose(cells, judged, given, known, against)
        verdict = verify_pattern(
            cells,
            judged,
            chosen.hidden,
            known,
            chosen.witnesses,
            insiders=protection.singletons,
            progress=request.progress,
        )
        # What an only contributor far away can compute shows when the pattern is there.
        if not verdict.insiders or set(verdict.insiders) <= set(against):
            break
        against += [one for one in verdict.insiders if one not in against]
    published = np.where(chosen.hidden, np.nan, cells.values)
    return ProtectedFamily(
        cells, judged, published, verdict.intervals, verdict.disclosed, chosen.price, chosen.bound
    )


def _with_earlier(cells: Cells, given: Given, earlier: Sequence[Earlier]) -> Given:
    """What is given, with the cells of earlier tables shown or left out as they were."""
    for one in earlier:
        for table in cells.tables:
            if table.tabulation is one.tabulation:
                given = given.with_earlier(*shown_before(table, one, cells))
    return given
