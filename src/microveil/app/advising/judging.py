"""Judging: one recipe run and measured, on a sample or on all records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from microveil.app.advising.candidates import Candidate, Verdict
from microveil.app.advising.draws import Draws
from microveil.app.advising.families import FAMILIES, Family, Plan
from microveil.app.advising.limits_drawn import drawn_checks
from microveil.app.advising.prefixes import Prefixes, changes_values
from microveil.app.advising.sampling import Samples, scale
from microveil.app.advising.situation import Situation
from microveil.app.advising.standing import risk_of
from microveil.app.advising.usefulness import Usefulness
from microveil.app.advising.work import ATTACKED, BEGUN, MEASURED, PEOPLE, TRIED
from microveil.app.running import finish, run
from microveil.errors import MicroveilError
from microveil.measures.evidence import perturbed_columns
from microveil.measures.subject import Subject
from microveil.pairs.alignment import align
from microveil.privacy import Check
from microveil.recipes import MeasureRequirement, Recipe
from microveil.release import Release
from microveil.risk.attacks.base import AttackMeasure
from microveil.tables import Door, Table
from microveil.texts import Message
from microveil.utility import CellChanges
from microveil.utility.parts.model_features import MOST_RECORDS

EMPTIED = 0.1
"""Share of its cells below which a column is as good as empty."""


@dataclass(frozen=True, eq=False)
class Judge:
    """Runs recipes with draws that are for choosing alone, and measures what they make."""

    here: Situation
    draws: Draws
    prefixes: Prefixes = field(init=False)

    def __post_init__(self) -> None:
        """Begin without any table."""
        object.__setattr__(self, "prefixes", Prefixes(self.draws.choosing, self.draws.seed))

    @cached_property
    def samples(self) -> Samples:
        """The table and its samples."""
        return Samples(self.here.table, self.draws.sampling)

    @cached_property
    def _tables(self) -> dict[int, Table]:
        return {rung: self.samples.table_at(rung) for rung in range(len(self.samples.shares))}

    def family(self, plan: Plan) -> Family:
        """The family that treats the keys."""
        return FAMILIES[plan.family]

    def recipe(self, plan: Plan) -> Recipe:
        """The whole recipe of a plan."""
        steps = self.family(plan).steps(self.here, plan.at)
        if plan.beside:
            steps = (*steps, *FAMILIES[plan.beside].steps(self.here, plan.beside_at))
        return self.here.recipe(steps, truly=plan.truly)

    def candidate_of(self, plan: Plan) -> Candidate:
        """A plan as a candidate that was not tried yet; a setting that fails says why."""
        family = self.family(plan)
        detail = family.detail(self.here, plan.at)
        if plan.beside:
            told = FAMILIES[plan.beside].detail(self.here, plan.beside_at)
            detail = f"{detail}, {told}" if detail else told
        if plan.truly:
            told = str(Message("advise.truly", "exact values as intervals"))
            detail = f"{detail}, {told}" if detail else told
        try:
            recipe = self.recipe(plan)
        except MicroveilError as error:
            return Candidate(
                family.method,
                detail,
                self.here.recipe(()),
                problem=error.message,
                family=family.name,
            )
        return Candidate(family.method, detail, recipe, family=family.name)

    def cost(self, plan: Plan, rung: int) -> float:
        """Units of work of a trial."""
        n = self.here.table.height * self.samples.shares[rung]
        n_keys, n_columns = max(len(self.here.keys), 1), len(self.here.frame.columns)
        family = self.family(plan)
        units = family.cost_of(self.here, plan.at) * n * (n_columns if family.synthetic else n_keys)
        if self.here.roles.entity is not None or self.here.roles.household is not None:
            units *= PEOPLE
        if plan.beside:
            units += FAMILIES[plan.beside].cost * n * n_columns
        units += TRIED + MEASURED * n * n_columns
        units += sum(one.cost * n_columns * min(n, MOST_RECORDS) for one in self.here.goal.analyses)
        for one in self.here.limits:
            if isinstance(one.spec, AttackMeasure):
                units += BEGUN + ATTACKED * min(one.spec.n_attacks, n) * n * n_columns
        return units

    def trial(self, plan: Plan, rung: int) -> Candidate:
        """Run a plan on a rung; any failure is recorded as its problem."""
        candidate = self.candidate_of(plan)
        if candidate.problem:
            return candidate
        return self.judge(candidate, rung)

    def judge(self, candidate: Candidate, rung: int) -> Candidate:
        """Run a candidate's recipe on a rung, and measure it."""
        original = self._tables[rung]
        recipe = scale(candidate.recipe, self.samples.shares[rung])
        try:
            release = self._release(recipe, original, rung)
            if original.height and not release.table.height:
                return replace(candidate, problem=_nothing_left())
            return self._measure(candidate, release, (self.draws.attacking,))
        except MicroveilError as error:
            return replace(candidate, problem=error.message)
        except Exception as error:  # noqa: BLE001  one broken trial must not cost the others
            # The message of a foreign exception may quote a cell, so only its type is kept.
            return replace(candidate, problem=f"Unexpected {type(error).__name__}.")

    def _release(self, recipe: Recipe, original: Table, rung: int) -> Release:
        bare = recipe.model_copy(update={"require": recipe.models})
        taken = self.prefixes.finish(bare, original, rung)
        return finish(bare, Door(original.frame), original, taken)

    def confirm(self, candidate: Candidate, release: Release) -> Candidate:
        """Measure a release on all records with draws that nothing was chosen by."""
        return self._measure(candidate, release, self.draws.confirming)

    def made_release(self, candidate: Candidate, door: Door) -> Release:
        """The release on all records, as a run with the caller's seed makes it.

        What the search ran with that seed already is not run again.
        """
        recipe, full = candidate.recipe, len(self.samples.shares) - 1
        if changes_values(recipe):
            return run(recipe, door.frame, seed=self.draws.seed)
        original = self._tables[full]
        bare = recipe.model_copy(update={"require": recipe.models})
        taken = self.prefixes.finish(bare, original, full)
        return finish(recipe, door, original, taken)

    def _measure(self, candidate: Candidate, release: Release, draws: Sequence[int]) -> Candidate:
        recipe = candidate.recipe
        original, whole = release.original, release.whole
        subject = Subject.made_by(recipe, original, whole)
        verdicts = tuple(self._verdicts(release, subject, draws))
        useful = Usefulness(self.here.goal, original)
        loss = useful.loss(subject)
        floors = useful.floors_broken(loss)
        most = self.here.goal.max_loss
        forbidden = self._prohibition(recipe, original, whole, floors)
        enough = most is None or loss.value <= most + 1e-12
        return replace(
            candidate,
            holds=all(one.holds for one in verdicts) and not forbidden and enough,
            risk=risk_of(recipe, original, _shown_table(release), subject),
            loss=loss.value,
            verdicts=verdicts,
            columns=loss.columns,
            analyses=loss.analyses,
            changed=_changed_share(subject),
            true=not whole.synthetic and not perturbed_columns(recipe, original),
            whole=not whole.synthetic and whole.height >= original.height,
            n_records=original.height,
            emptied=tuple(n for n in useful.columns if _is_emptied(original, whole, n)),
            forbidden=forbidden if enough else forbidden or _too_much(most or 0.0),
        )

    def _verdicts(
        self, release: Release, subject: Subject, draws: Sequence[int]
    ) -> Iterator[Verdict]:
        """The checks of all requirements, each with its place in the goal."""
        required = self.here.require
        models = [place for place, one in enumerate(required) if one in self.here.models]
        checks = [one for one in release.checks if one.title]
        each = max(len(models), 1)
        for number, check in enumerate(checks):
            place = models[number % each] if models else 0
            yield _verdict(check, place)
        for place, one in enumerate(required):
            if isinstance(one, MeasureRequirement):
                for check in drawn_checks(one, subject, draws):
                    yield _verdict(check, place)

    def _prohibition(
        self, recipe: Recipe, original: Table, whole: Table, floors: Sequence[str]
    ) -> str:
        """What a release does that the goal forbids; empty if nothing."""
        goal = self.here.goal
        if floors:
            return Message(
                "advise.below_floor", "Below the floor: {analyses}.", analyses=list(floors)
            )
        added = tuple(step for step in recipe.steps if step not in self.here.base.steps)
        ours = recipe.model_copy(update={"steps": added})
        if goal.truthful and (whole.synthetic or perturbed_columns(ours, original)):
            return Message("advise.not_true", "It changes values, which the goal forbids.")
        if goal.keep_records and (whole.synthetic or whole.height < original.height):
            return Message("advise.removes", "It removes records, which the goal forbids.")
        touched = [name for name in goal.untouched if not _same(original, whole, name)]
        if touched:
            return Message(
                "advise.touches",
                "It changes column {touched:quoted}, which the goal forbids.",
                touched=touched,
            )
        return ""


def _verdict(check: Check, place: int) -> Verdict:
    title: Any = check.title
    if check.scenario:
        title = Message(
            "advise.in_scenario",
            "{title}, scenario '{scenario}'",
            title=check.title,
            scenario=check.scenario,
        )
    return Verdict(title, float(check.required), float(check.achieved), check.holds, place)


def _shown_table(release: Release) -> Table:
    records = release.evidence.records
    return records if isinstance(records, Table) else release.table


def _changed_share(subject: Subject) -> float:
    if subject.original is None or subject.released.synthetic or not subject.aligned:
        return 1.0
    try:
        return CellChanges().score_subject(subject).value
    except MicroveilError:
        return 1.0


def _is_emptied(original: Table, whole: Table, name: str) -> bool:
    """Whether next to nothing is left of a column that is still there."""
    if name not in whole.columns or not whole.height:
        return False
    left = whole.height - whole.frame[name].null_count()
    before = 1 - original.frame[name].null_count() / max(original.height, 1)
    return left / whole.height < EMPTIED * before


def _same(original: Table, whole: Table, name: str) -> bool:
    if name not in whole.columns or whole.synthetic:
        return False
    beside = align(original, whole).frame[name]
    after = whole.frame[name]
    return beside.dtype == after.dtype and beside.equals(after)


def _nothing_left() -> str:
    return Message("advise.nothing_left", "No record is left in the release.")


def _too_much(most: float) -> str:
    return Message(
        "advise.too_much_lost", "It loses more than the goal accepts ({most:g}).", most=most
    )
