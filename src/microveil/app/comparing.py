"""Compare a release with its original, wherever it came from: risk beside utility."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from microveil.app.assessing import reading
from microveil.errors import InputError
from microveil.measures.choosing import Choice, chosen, left_out, names_measures
from microveil.measures.taking import take
from microveil.pairs.alignment import common_columns, released_table
from microveil.pairs.row_order import rows_differ
from microveil.privacy import reached
from microveil.progress import Progress, silent
from microveil.recipes import Recipe
from microveil.risk import (
    RISK_MEASURES,
    Assessment,
    RiskMeasure,
    Verdict,
    assess_table,
    pair_verdicts,
)
from microveil.scores import Score
from microveil.tables import Missing, Roles, Table, as_table
from microveil.tables.kinds import is_number
from microveil.utility import UTILITY_MEASURES, UtilityMeasure

Measure = RiskMeasure | UtilityMeasure

ANOTHER_ORDER = (
    "The release is in another row order than the original: no row of one is taken for a row of "
    "the other."
)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Risk and utility of a release beside its original."""

    risk: Mapping[str, Score]
    utility: Mapping[str, Score]
    before: Assessment
    after: Assessment
    skipped: Mapping[str, str] = field(default_factory=dict)
    """Measures that could not be taken, and why."""
    invalid: Mapping[str, str] = field(default_factory=dict)
    """Measures of risk that say nothing after the recipe's steps, and why."""
    verdicts: tuple[Verdict, ...] = ()
    """Singling out, linkability, inference: how bad each stands, in words."""
    notes: tuple[str, ...] = ()
    """What a reader should know about how the two tables were laid side by side."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: one value per measure, details beside; null for invalid ones."""
        risk: dict[str, float | None] = {name: score.value for name, score in self.risk.items()}
        return {
            "risk": risk | dict.fromkeys(self.invalid),
            "utility": {name: score.value for name, score in self.utility.items()},
            "k_before": self.before.k,
            "k_after": self.after.k,
            "verdicts": [verdict.to_dict() for verdict in self.verdicts],
            "details": {
                name: score.to_dict() for name, score in {**self.risk, **self.utility}.items()
            },
            "skipped": dict(self.skipped),
            "invalid": dict(self.invalid),
            "notes": list(self.notes),
        }


def compare(  # noqa: PLR0913  what is compared, and how; all but the first two have a default
    original: Any,
    released: Any,
    roles: Roles | None = None,
    *,
    aligned: bool | None = None,
    missing: Missing = "category",
    measures: Choice = "default",
    control: Any = None,
    recipe: Recipe | None = None,
    progress: Progress = silent,
) -> Comparison:
    """Risk and utility of any pair of tables.

    Measures that pair rows take row i of one for row i of the other while both have as many
    rows, unless the columns show that the release is in another order; ``aligned`` says so, or
    the contrary, for certain. ``control`` are records of the same people's kind that the release
    never saw: attacks take off what they find out about them, too. With the ``recipe`` that made
    the release, measures that its steps make meaningless are marked instead of taken.
    """
    before = as_table(original, roles if recipe is None or roles is not None else recipe.roles)
    after = released_table(released, before.roles)
    aligned, notes = _alignment(before, after, said=aligned)
    n_cells = before.height * before.frame.width
    both = (RISK_MEASURES, UTILITY_MEASURES)
    taken = chosen(measures, *both, n_cells=n_cells)
    if control is not None and measures == "default":
        extra = [one for one in RISK_MEASURES if one.with_control and not one.by_default]
        taken += [one() for one in extra]
    invalid = _invalid(recipe, before)
    counting = {one.kind() for one in taken if invalid and getattr(one, "counts_classes", False)}
    job = _Comparing(before, after, control, aligned=aligned, missing=missing)
    scores, skipped = take(
        [one for one in taken if one.kind() not in counting],
        lambda one: (one, job.measure(one)),
        asked=names_measures(measures),
        progress=progress,
    )
    risk = {name: score for name, (one, score) in scores.items() if isinstance(one, RiskMeasure)}
    assessed = assess_table(after, missing=missing, models=reached)
    return Comparison(
        risk=risk,
        utility={name: score for name, (_, score) in scores.items() if name not in risk},
        before=assess_table(before, missing=missing, models=reached),
        after=assessed,
        skipped=skipped | left_out(measures, *both, n_cells=n_cells),
        invalid=dict.fromkeys(sorted(counting), invalid),
        verdicts=pair_verdicts(
            risk, None if invalid else assessed, has_secrets=_has_secrets(before, after)
        ),
        notes=notes,
    )


def _alignment(before: Table, after: Table, *, said: bool | None) -> tuple[bool, tuple[str, ...]]:
    """Whether rows can be laid side by side, and what there is to know about it."""
    if said is not None:
        return said, ()
    if not after.linked:
        return False, ()
    if after.rows is not None:
        return True, ()
    if before.height != after.height:
        return False, ()
    if rows_differ(before, after):
        return False, (ANOTHER_ORDER,)
    return True, ()


@dataclass(frozen=True, eq=False)
class _Comparing:
    """A pair of tables, and how measures of either kind are taken of it."""

    before: Table
    after: Table
    control: Any
    aligned: bool
    missing: Missing

    def measure(self, measure: Measure) -> Score:
        if measure.needs_alignment and not self.aligned:
            raise InputError("needs rows in the same order")
        if measure.needs_numbers and not self._has_numbers(labels=_reads_labels(measure)):
            raise InputError("the tables have no column of numbers in common")
        if isinstance(measure, UtilityMeasure):
            return measure.measure(self.before, self.after, aligned=self.aligned)
        if self.control is not None and hasattr(measure, "attack"):
            held_out = released_table(self.control, self.before.roles)
            return measure.measure(self.before, self.after, control=held_out)  # type: ignore[call-arg]  # attacks take a control
        measure = reading(measure, self.missing)
        return measure.score(self.before if measure.needs_original else None, self.after)

    def _has_numbers(self, *, labels: bool) -> bool:
        """Whether a column holds numbers on both sides, or labels of numbers after."""
        return any(
            is_number(self.before.frame[name].dtype)
            and (labels or is_number(self.after.frame[name].dtype))
            for name in common_columns(self.before, self.after)
        )


def _reads_labels(measure: Measure) -> bool:
    """Measures of utility read intervals and masks as numbers."""
    return isinstance(measure, UtilityMeasure)


def _has_secrets(before: Table, after: Table) -> bool:
    """Whether a sensitive column is left; without such roles every column may be one."""
    sensitive = set(before.roles.sensitive)
    return not sensitive or not sensitive.isdisjoint(after.columns)


def _invalid(recipe: Recipe | None, table: Table) -> str:
    """Why class sizes say nothing after a recipe; nothing where they do."""
    if recipe is None:
        return ""
    keys = {name for names in recipe.roles.key_sets().values() for name in names}
    blurred = [
        step.kind()
        for step in recipe.steps
        if step.perturbative and keys & set(step.touches(table))
    ]
    if not blurred:
        return ""
    return (
        f"class sizes say little once quasi-identifiers are perturbed ({', '.join(blurred)}); see "
        "record linkage and the attacks"
    )
