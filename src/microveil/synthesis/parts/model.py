"""SyntheticModel: a fitted generator with its plan and constraints, ready for drawing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Longs
from microveil.errors import InputError
from microveil.synthesis.parts.constraints import MOST_ROUNDS, drawn_until_kept
from microveil.synthesis.parts.copies import equal_records, replicated_uniques
from microveil.synthesis.parts.generator import Fitted
from microveil.synthesis.parts.groups import GroupModel, Members, numbered_groups
from microveil.synthesis.parts.names import fresh_pseudonyms
from microveil.synthesis.parts.plan import SynthesisPlan, risky_records
from microveil.synthesis.parts.settings import SynthesisSettings
from microveil.synthesis.parts.strata import StrataModel
from microveil.synthesis.parts.training import record_weights
from microveil.tables import Table

if TYPE_CHECKING:
    from microveil.synthesis.trust_map import TrustMap


MOST_REDRAWS = 20
"""How often a replicated unique is redrawn before it is removed."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """Synthetic records and facts about them."""

    table: Table
    facts: Mapping[str, Any]


class SyntheticModel:
    """A model of one table. It contains information about records and cannot be saved."""

    def __init__(self, settings: SynthesisSettings, table: Table, rng: np.random.Generator) -> None:
        self.settings = settings
        self.original = table
        self.plan = SynthesisPlan.of(settings, table)
        self.fitted = _fit(settings, self.plan, table, rng)

    @property
    def facts(self) -> Mapping[str, Any]:
        """Plain numbers and column names about the model; never a cell's value."""
        return {"generator": self.settings.generator.kind(), **self.fitted.facts}

    @property
    def modelled(self) -> tuple[tuple[str, ...], ...]:
        """Sets of columns modelled jointly."""
        return self.fitted.modelled

    def trust_map(self, drawn: Table) -> TrustMap | None:
        """Which relations of the modelled columns are preserved; None for a single column.

        A private model is assessed from its noisy answers; any other is compared with the original.
        """
        from microveil.synthesis.trust_map import trust_map

        names = list(self.plan.modelled) + list(self.plan.given)
        if len(names) < 2 or not drawn.height:  # noqa: PLR2004  a relation has two ends
            return None
        if self.settings.generator.private:
            return self.fitted.trust_map()
        before, after = (one.frame.select(names) for one in (self.original, drawn))
        return trust_map(before, after, self.modelled)

    def draw(self, n: int | None, rng: np.random.Generator) -> Drawn:
        """Draw synthetic records, or redraw the chosen cells."""
        if self.plan.partial:
            if n is not None:
                raise InputError("Partial synthesis keeps all records. Leave n out.")
            return self._draw_cells(rng)
        n = n or self.settings.n or self.fitted.n_records or self.original.height
        frame, n_again = self._draw_records(n, rng)
        facts: dict[str, Any] = {"n_records": frame.height, "n_drawn_again": n_again}
        table = Table(self._whole(frame, rng), self.original.roles, synthetic=True)
        if self.settings.generator.private:
            # Counting copies would read the records again, outside the budget.
            return Drawn(table, {**self.facts, **facts})
        if self.settings.replicated_uniques == "remove":
            table, removed = self._without_replicated(table, rng)
            facts |= removed
        return Drawn(table, {**self.facts, **facts, **self._copies(table)})

    def __reduce__(self) -> NoReturn:
        """Refuse to be saved."""
        self.fitted.__reduce__()

    def _draw_records(self, n: int, rng: np.random.Generator) -> tuple[pl.DataFrame, int]:
        if isinstance(self.fitted, GroupModel):
            return self._draw_groups(self.fitted, n, rng)
        return drawn_until_kept(
            n,
            lambda rows: self._with_totals(self.fitted.sample(len(rows), rng)),
            self.plan.constraints,
        )

    def _draw_groups(
        self, model: GroupModel, n: int, rng: np.random.Generator
    ) -> tuple[pl.DataFrame, int]:
        """Whole groups whose members all satisfy the rules; about ``n`` records."""
        wanted = max(round(n * model.plan.n_groups / self.original.height), 1)
        kept, n_kept, n_again = list[pl.DataFrame](), 0, 0
        for _ in range(MOST_ROUNDS):
            drawn = self._with_totals(model.sample(wanted - n_kept, rng))
            drawn = self.plan.constraints.mend(drawn)
            broken = drawn["__group"].filter(pl.Series(self.plan.constraints.find_broken(drawn)))
            good = drawn.filter(~pl.col("__group").is_in(broken.unique().implode()))
            groups = good["__group"].rank("dense").cast(pl.Int64) - 1 + n_kept
            kept.append(good.with_columns(groups.alias("__group")))
            n_good = good["__group"].n_unique()
            n_again += wanted - n_kept - n_good
            n_kept += n_good
            if n_kept == wanted:
                return pl.concat(kept), n_again
        self.plan.constraints.refuse(drawn)
        return pl.concat(kept), n_again

    def _with_totals(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The frame with empty columns for totals, which follow from their parts."""
        schema = self.original.frame.schema
        totals = [name for name in self.plan.constraints.derived if name not in frame.columns]
        return frame.with_columns(pl.lit(None, dtype=schema[name]).alias(name) for name in totals)

    def _whole(self, frame: pl.DataFrame, rng: np.random.Generator) -> pl.DataFrame:
        """The drawn columns together with group numbers, new pseudonyms and weights."""
        plan, original = self.plan, self.original.frame
        extra = [fresh_pseudonyms(original[name], frame.height, rng) for name in plan.anew]
        if plan.group is not None:
            extra.append(numbered_groups(self._groups_of(frame), original[plan.group]))
        if plan.weight is not None:
            total = float(record_weights(self.original, plan.weight).sum())
            extra.append(pl.Series(plan.weight, np.full(frame.height, total / frame.height)))
        return frame.with_columns(extra).select(original.columns)

    def _groups_of(self, frame: pl.DataFrame) -> Longs:
        """The group of each drawn row; a private model draws rows one by one, each its own."""
        if isinstance(self.fitted, GroupModel):
            return frame["__group"].to_numpy()
        return np.arange(frame.height, dtype=np.int64)

    def _without_replicated(
        self, table: Table, rng: np.random.Generator
    ) -> tuple[Table, dict[str, Any]]:
        """Redraw replicated uniques, and remove those that remain."""
        n_again = 0
        for _ in range(MOST_REDRAWS if self.plan.group is None else 0):
            marked = self._find_replicated(table)
            if not marked.any():
                break
            n_again += int(marked.sum())
            fresh, _ = self._draw_records(int(marked.sum()), rng)
            source = np.arange(table.height)
            source[marked] = table.height + np.arange(int(marked.sum()))
            both = pl.concat([table.frame, self._whole(fresh, rng)], how="vertical_relaxed")
            table = Table(both[source], table.roles, synthetic=True)
        marked = self._find_replicated(table)
        facts = {"n_uniques_drawn_again": n_again, "n_uniques_removed": int(marked.sum())}
        return table.filter(~marked), facts

    def _find_replicated(self, table: Table) -> NDArray[np.bool_]:
        return replicated_uniques(self.original, table, self._compared)

    @property
    def _compared(self) -> tuple[str, ...]:
        """Columns by which copies are recognised."""
        return (*self.plan.modelled, *self.plan.constraints.derived)

    def _copies(self, table: Table) -> dict[str, Any]:
        facts = equal_records(self.original.frame, table.frame, self._compared)
        n_replicated = int(self._find_replicated(table).sum()) if table.height else 0
        share = n_replicated / table.height if table.height else 0.0
        return facts | {"n_replicated_uniques": n_replicated, "replicated_uniques_share": share}

    def _draw_cells(self, rng: np.random.Generator) -> Drawn:
        """The table with the chosen columns of the chosen records redrawn."""
        plan, table = self.plan, self.original
        risky = _spread(risky_records(self.settings, table), table)
        rows = np.flatnonzero(risky)
        frame = table.frame
        given = frame.select(plan.given)
        fixed = frame.select(plan.constraints.fixed)

        def draw(some: Longs) -> pl.DataFrame:
            here = rows[some]
            drawn = self.fitted.sample(len(here), rng, given[here])
            return self._with_totals(pl.concat([fixed[here], drawn], how="horizontal"))

        drawn, n_again = drawn_until_kept(len(rows), draw, plan.constraints)
        chosen = [name for name in frame.columns if name in self._compared]
        drawn = _alike(drawn, table, chosen, rows)
        facts: dict[str, Any] = {
            "n_records": len(rows),
            "n_drawn_again": n_again,
            "n_changed": {
                name: int((~frame[name][rows].eq_missing(drawn[name])).sum()) for name in chosen
            },
        }
        after = table.with_columns([_place(frame[name], drawn[name], rows) for name in chosen])
        n_replicated = self._find_replicated(after)
        if self.settings.replicated_uniques == "remove":
            facts["n_uniques_removed"] = int(n_replicated.sum())
            after = after.filter(~n_replicated)
        else:
            facts["n_replicated_uniques"] = int(n_replicated.sum())
        return Drawn(after, {**self.facts, **facts})


def _fit(
    settings: SynthesisSettings, plan: SynthesisPlan, table: Table, rng: np.random.Generator
) -> Fitted:
    generator = settings.generator
    if generator.private:
        # All rows of one person, or household, together are within the budget.
        rows = getattr(generator, "rows_per_entity", None)
        return generator.fit(plan.training_table(table, rows), rng, plan.given)
    training = plan.training_table(table)
    if plan.group is not None:
        members = Members.of(table.frame[plan.group])
        return GroupModel.fit(generator, training, members, rng)
    if plan.strata:
        return StrataModel.fit(generator, training, rng, plan.strata, plan.given)
    return generator.fit(training, rng, plan.given)


def _spread(risky: NDArray[np.bool_], table: Table) -> NDArray[np.bool_]:
    """If one record of a household or person is risky, all of its records are."""
    group = table.roles.household or table.roles.entity
    if group is None or risky.all():
        return risky
    members = Members.of(table.frame[group])
    of_group = np.bincount(members.group, weights=risky[members.order]) > 0
    spread = np.empty_like(risky)
    spread[members.order] = of_group[members.group]
    return spread


def _alike(drawn: pl.DataFrame, table: Table, chosen: list[str], rows: Longs) -> pl.DataFrame:
    """Values shared by all members of a household or person stay shared."""
    group = table.roles.household or table.roles.entity
    if group is None:
        return drawn
    shared = Members.of(table.frame[group]).shared_columns(table.frame.select(chosen))
    members = Members.of(table.frame[group][rows])
    if not shared or not len(rows):
        return drawn
    first = members.order[(np.cumsum(members.size) - members.size)[members.group]]
    source = np.empty(len(rows), dtype=np.int64)
    source[members.order] = first
    return drawn.with_columns(drawn[name].gather(source) for name in shared)


def _place(before: pl.Series, drawn: pl.Series, rows: Longs) -> pl.Series:
    """A column with some cells replaced."""
    if not len(rows):
        return before
    source = np.arange(len(before))
    source[rows] = len(before) + np.arange(len(rows))
    kept = before if before.dtype == drawn.dtype else before.cast(drawn.dtype)
    return pl.concat([kept, drawn])[source].alias(before.name)
