"""Assess a table as it is; compare a release with its original, wherever it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from microveil.errors import InputError
from microveil.measuring import Choice, chosen, take
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
    table_verdicts,
)
from microveil.risk.assessment import N_WORST
from microveil.scores import Score
from microveil.tables import Missing, Roles, Table, as_table
from microveil.utility import UTILITY_MEASURES, UtilityMeasure
from microveil.utility.base import released_table


def assess(
    data: Any,
    roles: Roles | None = None,
    *,
    missing: Missing = "category",
    n_worst: int = N_WORST,
    acceptable_k: Mapping[int, int] | None = None,
    measures: Choice = "default",
    progress: Progress = silent,
) -> Assessment:
    """Disclosure risk of a table as it is: classes, models reached, measures, and verdicts.

    ``acceptable_k`` maps a number of records to the k that tables up to that size should reach;
    without it, the thresholds of :data:`microveil.risk.ACCEPTABLE_K` stand. ``measures`` are
    those that suit a table alone by default; ``"all"``, ``"none"``, or some by name or as specs.

    >>> assess({"sex": ["f", "f", "m"]}, Roles(quasi_identifiers=["sex"])).k
    1
    """
    table = as_table(data, roles)
    if not any(table.roles.key_sets().values()):
        raise InputError("Risk needs quasi-identifiers: name the columns an intruder may know.")
    if acceptable_k is not None and not acceptable_k:
        raise InputError("acceptable_k needs at least one size with its k.")
    found = assess_table(
        table, missing=missing, n_worst=n_worst, thresholds=acceptable_k, models=reached
    )
    n_cells = table.height * len(table.roles.quasi_identifiers)
    alone = [m for m in chosen(measures, RISK_MEASURES, n_cells=n_cells) if not m.needs_original]
    scores, skipped = take(
        [_reading(measure, missing) for measure in alone],
        lambda measure: measure.score(table, None),
        asked=_asked(measures),
        progress=progress,
    )
    return replace(found, scores=scores, skipped=skipped, verdicts=table_verdicts(found, scores))


def _asked(measures: Choice) -> bool:
    """Whether measures were named, so that one that cannot be taken is an error."""
    return not isinstance(measures, str) or measures not in ("default", "all", "none")


def _reading(measure: RiskMeasure, missing: Missing) -> RiskMeasure:
    """The measure with the caller's reading of missing keys, where it has one and set none."""
    fields = type(measure).model_fields
    if missing == "category" or "missing" not in fields or "missing" in measure.model_fields_set:
        return measure
    return measure.model_copy(update={"missing": missing})


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

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: one value per measure, details beside."""
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
    rows; say ``aligned=False`` when the release was written in random order. ``control`` are
    records of the same people's kind that the release never saw: attacks take off what they find
    out about them, too. With the ``recipe`` that made the release, measures that its steps make
    meaningless are marked instead of taken.
    """
    before = as_table(original, roles if recipe is None or roles is not None else recipe.roles)
    after = released_table(released, before.roles)
    if aligned is None:
        aligned = after.rows is not None or before.height == after.height
    job = _Comparing(before, after, control, aligned=aligned, missing=missing)
    taken = chosen(
        measures, RISK_MEASURES, UTILITY_MEASURES, n_cells=before.height * before.frame.width
    )
    invalid = _invalid(recipe, before)
    counted = {m.kind(): invalid for m in taken if invalid and getattr(m, "counts_classes", False)}
    scores, skipped = take(
        [measure for measure in taken if measure.kind() not in counted],
        job.measure,
        asked=_asked(measures),
        progress=progress,
    )
    risk = {name: scores[name] for name in scores if name in RISK_MEASURES.classes}
    return Comparison(
        risk=risk,
        utility={name: scores[name] for name in scores if name not in risk},
        before=assess_table(before, missing=missing, models=reached),
        after=assess_table(after, missing=missing, models=reached),
        skipped=skipped,
        invalid=counted,
        verdicts=pair_verdicts(risk),
    )


@dataclass(frozen=True, eq=False)
class _Comparing:
    """A pair of tables, and how measures of either kind are taken of it."""

    before: Table
    after: Table
    control: Any
    aligned: bool
    missing: Missing

    def measure(self, measure: RiskMeasure | UtilityMeasure) -> Score:
        if isinstance(measure, UtilityMeasure):
            return measure.measure(self.before, self.after, aligned=self.aligned)
        if getattr(measure, "needs_alignment", False) and not self.aligned:
            raise InputError("needs rows in the same order")
        if self.control is not None and hasattr(measure, "attack"):
            return measure.measure(self.before, self.after, control=self.control)  # type: ignore[call-arg]  # attacks take a control
        measure = _reading(measure, self.missing)
        return measure.score(self.after, self.before if measure.needs_original else None)


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
