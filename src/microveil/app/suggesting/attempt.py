"""Attempt: recipes for one table and k, tried out on its keys until the best is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from microveil.app.coarsening import Ladder, ladder_of
from microveil.app.inspection.result import as_line
from microveil.app.running import run
from microveil.app.suggesting.exact_values import blur_exact_values
from microveil.app.suggesting.giveaways import Giveaways, Rungs
from microveil.app.suggesting.losses import column_distinctions
from microveil.app.suggesting.proposal import Proposal, losses_of
from microveil.app.suggesting.search import LEFT_OUT, Search, Space
from microveil.errors import GoalNotReachedError, InputError, MicroveilError
from microveil.methods import Drop, LocalSuppression, Method, Pseudonymize
from microveil.privacy import KAnonymity
from microveil.recipes import Recipe
from microveil.release.deriving import find_derivations, gives_away, restore
from microveil.tables import Roles, Table
from microveil.tables.people import closed_up
from microveil.texts import Message

if TYPE_CHECKING:
    from microveil.app.inspection import Inspection


EMPTIED = 1e-3
"""Loss of a column without a value, beyond leaving it out: that is plainer, and as safe."""
LAST_RESORT = 1.0
"""Loss that ranks a recipe after all others: a key that it leaves out is told by another column."""
HARDLY = 0.05
"""Share of its distinctions below which a column is as good as empty: a few cells among blanks are
of no use, and the cells of other columns are blanked for them."""


@dataclass(frozen=True, eq=False)
class Attempt:
    """A table with its roles, and the k to reach."""

    frame: pl.DataFrame
    roles: Roles
    looked: Inspection
    k: int
    first: tuple[Method, ...] = ()
    """Steps that made the table what it is here: codes for missing values are gone."""
    _best_loss: list[float] = field(default_factory=lambda: [float("inf")])
    """Least loss of a recipe that gives nothing back, so far."""

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """All columns that an intruder may know, those of scenarios included."""
        sets = self.roles.key_sets().values()
        gone = {*self.roles.identifiers, self.roles.entity}
        return tuple(dict.fromkeys(name for keys in sets for name in keys if name not in gone))

    @cached_property
    def ladders(self) -> list[Ladder]:
        """The ways to coarsen each key."""
        return [
            ladder_of(self.frame[name], self.looked[name], self.k, leave_out=True)
            for name in self.keys
        ]

    @cached_property
    def space(self) -> Space:
        """The recipes that are searched."""
        return Space(self.ladders, self.k, self._people, self._giveaways)

    def best(self, data: Any, seed: int | None) -> Proposal:
        """The recipe that keeps most, run on the whole table."""
        blurred = list(blur_exact_values(self.frame, self.looked, self.roles, self.k))
        notes = (*self._links_left_out(), *(reason for _, reason in blurred))
        if not self.keys:
            recipe = self.recipe_at((), [step for step, _ in blurred])
            return Proposal(recipe, run(recipe, data, seed=seed), (), notes)
        search = Search(self.space, self.trial)
        for rungs in search.best():
            recipe = self.recipe_at(rungs, [step for step, _ in blurred])
            try:
                release = run(recipe, data, seed=seed)
            except MicroveilError:  # refused as a whole: the next best is run
                continue
            if release.holds and release.table.columns:
                losses = losses_of(self.frame, release.table.frame, self.keys)
                told = (*notes, *self._strata_left_out(rungs))
                return Proposal(recipe, release, tuple(losses), told, len(search.tried))
        raise self._hopeless()

    def _links_left_out(self) -> Iterator[str]:
        """Ids of people and households that the recipe drops, with the other way to treat them."""
        for name in dict.fromkeys((self.roles.entity, self.roles.household)):
            if name is not None:
                yield Message(
                    "suggest.link_left_out",
                    "Column '{name}' shows which rows belong together and is left out. If the link "
                    "is needed, pseudonymize the column instead: {step}",
                    name=name,
                    step=as_line(Pseudonymize(columns=(name,)).to_dict()),
                )

    def telling_strata(self, rungs: Rungs) -> dict[str, str]:
        """Strata that tell a key which is coarsened or left out, and the key."""
        changed = [ladder.values for ladder, rung in self._pairs(rungs) if rung] if rungs else []
        pairs = ((name, key) for name in self.roles.strata for key in changed if name != key.name)
        return {name: key.name for name, key in pairs if gives_away(self.frame[name], key)}

    def _strata_left_out(self, rungs: Rungs) -> Iterator[str]:
        for name, key in self.telling_strata(rungs).items():
            yield Message(
                "suggest.strata_left_out",
                "Strata in '{name}' tell '{key}', which is coarsened or left out: they are left "
                "out too.",
                name=name,
                key=key,
            )

    def _hopeless(self) -> InputError:
        return GoalNotReachedError(
            Message(
                "suggest.hopeless",
                "No recipe that was tried gives every record {k} alike. Lower k, or leave out "
                "columns that tell people apart.",
                k=self.k,
            )
        )

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Ids that are dropped first; people are still counted as people."""
        entity = () if self.roles.entity is None else (self.roles.entity,)
        return tuple(dict.fromkeys((*self.roles.identifiers, *entity)))

    @cached_property
    def _table(self) -> Table:
        """What a trial needs: keys, household and strata, with the ids dropped."""
        others = (self.roles.household, *self.roles.strata)
        wanted = dict.fromkeys([*self.ids, *self.keys, *(one for one in others if one)])
        named = [name for name in self.roles.named if name not in wanted]
        table = Table(self.frame.select(list(wanted)), self.roles.without(named))
        return Drop(columns=self.ids).apply(table, _no_chance()).table if self.ids else table

    @cached_property
    def _people(self) -> np.ndarray | None:
        people = self._table.people
        return None if people is None else closed_up(people)

    @cached_property
    def _suppression(self) -> LocalSuppression:
        """Within strata, unless some have fewer than k people."""
        step = LocalSuppression(k=self.k)
        if not self.roles.strata:
            return step
        people = np.arange(self.frame.height) if self._people is None else self._people
        rows = self.frame.select(self.roles.strata).with_columns(__person=people)
        crowds = rows.group_by(self.roles.strata).agg(pl.col("__person").n_unique())["__person"]
        small = bool((crowds < self.k).any())
        return step.model_copy(update={"by_strata": False}) if small else step

    @cached_property
    def _giveaways(self) -> Giveaways:
        """Among the keys, and by other columns that are released."""
        return Giveaways(self.ladders, [self.frame[name] for name in self._others])

    def suppression_at(self, rungs: Rungs) -> LocalSuppression:
        """The suppression that spares keys which other columns would give back."""
        importance = self._giveaways.importance(rungs)
        shown = {one.values.name for one, rung in self._pairs(rungs) if not _is_drop(one, rung)}
        if not importance or not shown.difference(importance):
            return self._suppression
        return self._suppression.model_copy(update={"importance": importance})

    def _is_given_back(self, rungs: Rungs, after: pl.DataFrame) -> bool:
        """Whether k is missed once all that the release gives back is filled in."""
        shown = [pair for pair in self._pairs(rungs) if not _is_drop(*pair)]
        labels = [
            pl.select(
                pl.when(after[one.values.name].is_not_null())
                .then(one.labels[rung])
                .alias(one.values.name)
            ).to_series()
            for one, rung in shown
        ]
        others = [self.frame[name] for name in self._others]
        original = self._as_table([*(one.values for one in self.ladders), *others])
        released = self._as_table([*labels, *others])
        found = find_derivations(original, released, released.columns)
        strict = [one for one in found if one.strict]
        if not strict:
            return False
        known = restore(released, strict).frame
        return self._least(known.select(one.name for one in labels)) < self.k

    def _tells_left_out(self, rungs: Rungs, after: pl.DataFrame) -> bool:
        """Whether k is missed with the keys that were left out and that other columns tell."""
        told = [
            one.values
            for place, (one, rung) in enumerate(self._pairs(rungs))
            if _is_drop(one, rung) and self._giveaways.givers(place, rungs)
        ]
        shown = [
            after[one.values.name] for one, rung in self._pairs(rungs) if not _is_drop(one, rung)
        ]
        return bool(told) and self._least(pl.DataFrame([*shown, *told])) < self.k

    def _as_table(self, columns: Sequence[pl.Series]) -> Table:
        frame = pl.DataFrame(columns)
        gone = [name for name in self.roles.named if name not in frame.columns]
        return Table(frame, self.roles.without(gone))

    @cached_property
    def _others(self) -> list[str]:
        """Columns that are released beside the keys."""
        gone = {*self.ids, *self.keys, self.roles.household}
        return [name for name in self.frame.columns if name not in gone]

    def _least(self, keys: pl.DataFrame) -> int:
        """People (records) of the smallest class."""
        people = self._people
        who = pl.Series("__person", np.arange(keys.height) if people is None else people)
        counted = keys.with_columns(who).group_by(keys.columns).agg(pl.col("__person").n_unique())
        return int(counted["__person"].to_numpy().min(initial=self.k))

    def coarse_steps(self, rungs: Rungs) -> list[Method]:
        """The steps of the rungs, with columns that are left out in one."""
        chosen = [ladder.usable[rung] for ladder, rung in zip(self.ladders, rungs, strict=True)]
        gone = tuple(
            name for name, step in zip(self.keys, chosen, strict=True) if isinstance(step, Drop)
        )
        coarser = [step for step in chosen if step is not None and not isinstance(step, Drop)]
        return [*([Drop(columns=gone)] if gone else []), *coarser]

    def trial(self, rungs: Rungs) -> float:
        """Loss of the keys after coarsening and suppression, tried out on codes."""
        gone = [isinstance(one.usable[rung], Drop) for one, rung in self._pairs(rungs)]
        codes = [
            pl.Series(one.values.name, one.rungs[rung]).to_frame().select(
                pl.when(~pl.Series(one.values.is_null())).then(pl.col(one.values.name))
            ).to_series()
            for (one, rung), left in zip(self._pairs(rungs), gone, strict=True)
            if not left
        ]  # fmt: skip
        lost = sum(gone) * (1 + LEFT_OUT)
        if not codes:
            return lost / len(self.keys)
        try:
            after = self.suppress(codes, self.suppression_at(rungs))
        except InputError:
            return float("inf")
        for series in codes:
            before, now = self._told[series.name], column_distinctions(after[series.name])
            emptied = EMPTIED + LEFT_OUT if now < HARDLY * before else 0.0
            lost += 1 - (now / before if before else 1.0) + emptied
        lost /= len(self.keys)
        # What is worse than the best so far needs no second look.
        if lost < self._best_loss[0]:
            if self._is_given_back(rungs, after):
                return float("inf")
            if self._tells_left_out(rungs, after):
                return lost + LAST_RESORT
            self._best_loss[0] = lost
        return lost

    def suppress(self, codes: Sequence[pl.Series], step: LocalSuppression) -> pl.DataFrame:
        """The codes of keys after suppression; keys without codes are left out."""
        table = self._table.with_columns(codes)
        shown = {series.name for series in codes}
        left = tuple(name for name in self.keys if name not in shown)
        table = Drop(columns=left).apply(table, _no_chance()).table if left else table
        return step.apply(table, _no_chance()).table.frame

    @cached_property
    def _told(self) -> dict[str, float]:
        return {name: column_distinctions(self.frame[name]) for name in self.keys}

    def _pairs(self, rungs: Rungs) -> Sequence[tuple[Ladder, int]]:
        return list(zip(self.ladders, rungs, strict=True))

    def recipe_at(self, rungs: Rungs, blurred: list[Method]) -> Recipe:
        """Ids out, measures blurred, keys coarsened, cells suppressed, household ids out."""
        coarse = self.coarse_steps(rungs) if rungs else []
        steps: list[Method] = [Drop(columns=self.ids)] if self.ids else []
        steps += [*self.first, *blurred, *coarse]
        left = set(self.keys).difference(
            *(step.columns for step in coarse if isinstance(step, Drop))
        )
        if left:
            steps.append(self.suppression_at(rungs))
        household = self.roles.household
        linking = () if household is None or household in self.ids else (household,)
        if last := (*linking, *self.telling_strata(rungs)):
            steps.append(Drop(columns=last))
        return Recipe(
            reading=self.looked.reading,
            roles=self.roles,
            steps=tuple(steps),
            require=(KAnonymity(k=self.k),) if self.keys else (),
        )


def _is_drop(ladder: Ladder, rung: int) -> bool:
    return isinstance(ladder.usable[rung], Drop)


def _no_chance() -> np.random.Generator:
    """For steps that draw nothing."""
    return np.random.default_rng(0)
