"""Compare a release with its original, wherever it came from: risk and utility."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from microveil.app.running import read_release, read_where_fitting
from microveil.display import Card, Shown, grid
from microveil.measures.base import Measure
from microveil.measures.choosing import Choice, choose_measures, left_out, names_measures
from microveil.measures.scenarios import scenario_scores
from microveil.measures.subject import Subject
from microveil.measures.taking import MeasuresTaken, take
from microveil.pairs.alignment import released_table
from microveil.pairs.row_order import rows_belong_together
from microveil.privacy import strictest_parameters
from microveil.progress import Progress, shows_progress, silent
from microveil.recipes import Recipe
from microveil.release.attackers import attackers_in
from microveil.risk import (
    RISK_MEASURES,
    Assessment,
    Verdict,
    assess_table,
    pair_verdicts,
)
from microveil.risk.assessment.attackers import Attackers
from microveil.scores import Score
from microveil.tables import Missing, Roles, Table, as_table
from microveil.tables.door import is_spark_frame
from microveil.texts import Message
from microveil.utility import UTILITY_MEASURES

ANOTHER_ORDER = Message(
    "compare.release_different_row_order",
    "The release is in a different row order from the original, so rows are not paired.",
)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Shown):
    """Risk and utility of a release compared with its original."""

    risk: Mapping[str, Score]
    utility: Mapping[str, Score]
    before: Assessment
    after: Assessment
    skipped: Mapping[str, str] = field(default_factory=dict)
    """Measures that could not be taken, and why."""
    invalid: Mapping[str, str] = field(default_factory=dict)
    """Risk measures that are not valid after the recipe's steps, and why."""
    verdicts: tuple[Verdict, ...] = ()
    """Singling out, linkability, inference: how high each risk is, in words."""
    scenarios: Mapping[str, Mapping[str, Score]] = field(default_factory=dict)
    """The risk measures that depend on what an intruder knows, as each scenario knows it."""
    attackers: Mapping[str, Attackers] = field(default_factory=dict)
    """Prosecutor, journalist and marketer, ``before`` and ``after``; the latter only where class
    sizes are evidence."""
    notes: tuple[str, ...] = ()
    """What a reader should know about how the two tables were matched."""

    def card(self) -> Card:
        """Verdicts, then one table each of risk and utility."""
        lines = [
            f"k = {self.before.k} before, {self.after.k} after",
            *(repr(verdict) for verdict in self.verdicts),
            *self.notes,
        ]
        if self.skipped or self.invalid:
            n_left = len(self.skipped) + len(self.invalid)
            verb = "measure does" if n_left == 1 else "measures do"
            lines.append(f"{n_left} {verb} not apply: see .skipped and .invalid")
        columns = ("measure", "value", "better")
        grids = [
            grid(columns, [(n, s.value, s.better) for n, s in scores.items()], title)
            for title, scores in self.titled_scores()
            if scores
        ]
        return Card("A release compared with its original", tuple(lines), tuple(grids))

    def titled_scores(self) -> list[tuple[str, Mapping[str, Score]]]:
        """The scores in the order in which they are shown, each group with its title."""
        named = [(f"Risk, scenario {name}", scores) for name, scores in self.scenarios.items()]
        return [("Risk", self.risk), *named, ("Utility", self.utility)]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: one value per measure, with details; null for invalid ones."""
        risk: dict[str, float | None] = {name: score.value for name, score in self.risk.items()}
        return {
            "risk": risk | dict.fromkeys(self.invalid),
            "utility": {name: score.value for name, score in self.utility.items()},
            "scenarios": {
                scenario: {name: score.value for name, score in scores.items()}
                for scenario, scores in self.scenarios.items()
            },
            "k_before": self.before.k,
            "k_after": self.after.k,
            "missing": self.after.missing,
            "attackers": {when: one.to_dict() for when, one in self.attackers.items()},
            "verdicts": [verdict.to_dict() for verdict in self.verdicts],
            "details": {
                name: score.to_dict() for name, score in {**self.risk, **self.utility}.items()
            },
            "skipped": dict(self.skipped),
            "invalid": dict(self.invalid),
            "notes": list(self.notes),
        }


@shows_progress
def compare(  # noqa: PLR0913  what is compared, and how; all but the first two have a default
    original: Any,
    released: Any,
    roles: Roles | None = None,
    *,
    aligned: bool | None = None,
    missing: Missing | None = None,
    measures: Choice = "default",
    control: Any = None,
    recipe: Recipe | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> Comparison:
    """Measure risk and utility of any pair of tables.

    If both tables have the same number of rows, measures that need paired rows match row i with row
    i, unless the columns show that the release is in a different order; ``aligned`` settles the
    question. ``control`` holds records of the same population that were not used for the release:
    what attacks learn about them is subtracted. With the ``recipe`` that made the release, labels
    are interpreted by its hierarchies, missing keys are treated as it does unless ``missing`` is
    given, and measures that its steps invalidate are marked rather than taken. Without ``records``,
    the scores keep no values per record, and large tables take less memory.
    """
    said = roles if recipe is None or roles is not None else recipe.roles
    if is_spark_frame(original):
        from microveil.app.counted import compare_counted
        from microveil.spark.table import beside

        missing_keys = missing or ("category" if recipe is None else recipe.missing_keys)
        return compare_counted(*beside(original, released, said or Roles()), missing=missing_keys)
    before = as_table(read_where_fitting(recipe, as_table(original)), said)
    after = released_table(released, before.roles)
    aligned, notes = _alignment(before, after, said=aligned)
    if missing is None:
        missing = "category" if recipe is None else recipe.missing_keys
    n_cells, both = before.height * before.frame.width, (RISK_MEASURES, UTILITY_MEASURES)
    wanted = choose_measures(measures, *both, n_cells=n_cells)
    if control is not None and measures == "default":
        extra = [one for one in RISK_MEASURES if one.with_control and not one.by_default]
        wanted += [one() for one in extra]
    held_out = None if control is None else read_release(recipe, control, before.roles)
    subject = Subject(before, after, held_out, aligned, missing, recipe)
    taken = take(
        wanted, subject, asked=names_measures(measures), records=records, progress=progress
    )
    assessed = assess_table(after, missing=missing, models=strictest_parameters, records=records)
    return Comparison(
        risk=taken.risk,
        utility=taken.utility,
        before=assess_table(before, missing=missing, models=strictest_parameters, records=records),
        after=assessed,
        skipped={**taken.skipped, **left_out(measures, *both, n_cells=n_cells)},
        invalid=dict(sorted(taken.invalid.items())),
        scenarios=scenario_scores(_of_risk(taken), subject),
        verdicts=pair_verdicts(
            taken.risk,
            None if subject.no_evidence else assessed,
            has_secrets=_has_secrets(before, after),
            aligned=aligned,
        ),
        attackers=_attackers(before, None if subject.no_evidence else after, missing),
        notes=notes,
    )


def _attackers(before: Table, after: Table | None, missing: Missing) -> dict[str, Attackers]:
    """The three attackers of each table that counts."""
    tables = {"before": before, "after": after}
    found = {when: attackers_in(one, missing) for when, one in tables.items() if one is not None}
    return {when: one for when, one in found.items() if one.all}


def _alignment(before: Table, after: Table, *, said: bool | None) -> tuple[bool, tuple[str, ...]]:
    """Whether rows can be paired, and a note about it."""
    if said is not None:
        return said, ()
    known = rows_belong_together(before, after)
    nothing_to_say = known or after.synthetic or before.height != after.height
    return known, () if nothing_to_say else (ANOTHER_ORDER,)


def _of_risk(taken: MeasuresTaken) -> dict[str, Measure]:
    return {name: taken.measures[name] for name in taken.risk}


def _has_secrets(before: Table, after: Table) -> bool:
    """Whether a sensitive column is left; without such roles any column may be one."""
    sensitive = set(before.roles.sensitive)
    return not sensitive or not sensitive.isdisjoint(after.columns)
