"""`microveil risk`: the disclosure risk of a file as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from microveil.cli import options, role_options
from microveil.cli.fail_if import FailIf, Threshold, fail_if_any, failed_object, failures
from microveil.cli.fail_if import thresholds as fail_if_thresholds
from microveil.cli.linked_tables import linked_view
from microveil.cli.output import (
    MISSING_WORDS,
    console,
    print_grid,
    print_json,
    progress_bar,
)
from microveil.display import percent
from microveil.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from microveil.risk import Assessment, Verdict
    from microveil.risk.assessment.acceptable_k import KRule
    from microveil.risk.assessment.attackers import Attackers
    from microveil.scores import Score
    from microveil.tables import Roles

MOST_UNIQUES = 20

Worst = Annotated[int, typer.Option("--worst", min=1, help="Number of worst classes to show.")]
AcceptableK = Annotated[
    str | None,
    typer.Option(
        "--acceptable-k",
        help="The k the table should reach: 'scientific' (5), 'public' (11), 'petersburg' (by "
        "size, the default), or sizes with their k: 51000=10,105000=7,260000=5.",
    ),
]


@options.takes_reading_options
@role_options.takes_role_options
def risk(
    data: options.DataSource,
    worst: Worst = 5,
    acceptable_k: AcceptableK = None,
    measures: options.Measures = "default",
    fail_if: FailIf = None,
    as_json: options.AsJson = False,
    *,
    given: dict[str, Any],
    reading: dict[str, Any],
) -> None:
    """Measure the disclosure risk of a file as it is.

    Example: [bold]microveil risk patients.csv -q age,sex,zip -s disease[/bold]
    """
    from microveil.app import assess

    limits = fail_if_thresholds(fail_if)
    people = linked_view(given, data, reading)
    recipe = None if people is not None else role_options.recipe_of(given)
    roles = role_options.roles_of(given) if recipe is None else recipe.roles
    roles = roles if people is None else people.roles
    if not any(roles.key_sets().values()):
        raise InputError(
            "Name the quasi-identifiers: -q age,sex,zip. `microveil inspect DATA` suggests them."
        )
    frame = options.read_data(data, reading) if people is None else people.frame
    with progress_bar() as progress:
        assessment = assess(
            frame,
            None if recipe else roles,
            missing=role_options.missing_of(given),
            n_worst=worst,
            acceptable_k=thresholds(acceptable_k),
            measures=options.measures_of(measures),
            recipe=recipe,
            progress=progress,
        )
    broken = _failures(assessment, limits)
    if as_json:
        print_json(assessment.to_dict() | failed_object(limits, broken))
    else:
        show_risk(assessment)
        _warn_of_households(frame, roles)
    fail_if_any(broken)


def _warn_of_households(frame: pl.DataFrame, roles: Roles) -> None:
    """Say how many households an id links together: whoever finds one member finds all."""
    if roles.household is None or roles.household not in frame.columns:
        return
    sizes = frame[roles.household].drop_nulls().value_counts(name="size")["size"]
    several = int((sizes > 1).sum())
    if several:
        console().print(
            f"! Column '{roles.household}' ties the members of {several:,} households together: "
            "whoever finds one member finds all. Drop or pseudonymise it unless it is needed.",
            markup=False,
        )


def _failures(assessment: Assessment, limits: Sequence[Threshold]) -> list[str]:
    """Thresholds that the main set of quasi-identifiers, or a scenario, violates."""
    plain = assessment.to_dict()
    numbers = {
        name: value
        for name, value in plain.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    numbers |= plain.get("measures", {})
    broken = failures(limits, numbers, assessment.skipped) if assessment.quasi_identifiers else []
    for name, scenario in assessment.scenarios.items():
        broken += [f"Scenario {name}: {one}" for one in _failures(scenario, limits)]
    return broken


def thresholds(text: str | None) -> KRule | None:
    """Acceptable k from its option: the name of a rule, or by size.

    >>> thresholds("1000=10,50000=5"), thresholds("public")
    ({1000: 10, 50000: 5}, 'public')
    """
    if text is None or ("=" not in text and text.isalpha()):
        return text
    try:
        pairs = [part.split("=") for part in text.split(",")]
        parsed = {int(size): int(k) for size, k in pairs}
    except ValueError:
        raise InputError("--acceptable-k reads like 51000=10,105000=7,260000=5.") from None
    if min(*parsed.keys(), *parsed.values()) < 1:
        raise InputError("--acceptable-k takes sizes and k of at least 1.")
    return parsed


def show_risk(
    assessment: Assessment, title: str = "Disclosure risk", n_uniques: int = MOST_UNIQUES
) -> None:
    """Print an assessment: the numbers, the worst classes, and the unique rows if k = 1."""
    from microveil.risk.assessment.attackers import attackers_of

    out = console()
    keys = ", ".join(assessment.quasi_identifiers)
    print_grid(out, f"{title} by {keys}", ("", ""), _numbers(assessment))
    if assessment.worst:
        worst = [
            (one.size, percent(one.share), *map(_format_cell, one.values.values()))
            for one in assessment.worst
        ]
        columns = ("size", "share", *assessment.quasi_identifiers)
        print_grid(out, "Worst classes", columns, worst)
    models = [
        (model.replace("_", " "), column, name, value)
        for model, column, name, value in _models(assessment.models)
    ]
    show_verdicts(assessment.verdicts)
    show_attackers({"": attackers_of(assessment.scores)})
    if models:
        print_grid(out, "Privacy models", ("model", "column", "", "reached"), models)
    if assessment.k == 1:
        _show_uniques(assessment, n_uniques)
    show_scores("Measures", assessment.scores)
    show_left_out(assessment.skipped)
    for name, scenario in assessment.scenarios.items():
        show_risk(scenario, f"Scenario {name}", n_uniques)


def _numbers(assessment: Assessment) -> list[tuple[str, str]]:
    """The rows of the first table: what class sizes say about the keys."""
    verdict = "enough" if assessment.acceptable else "too small"
    below = f"{assessment.n_below:,} ({percent(assessment.below_share)})"
    rows = [
        ("records", f"{assessment.n_records:,}"),
        *_people_counted(assessment),
        ("classes", f"{assessment.n_classes:,}"),
        ("k", f"{assessment.k:,} ({verdict}: {assessment.acceptable_k} is acceptable here)"),
        ("missing keys", MISSING_WORDS[assessment.missing]),
        ("unique records", f"{assessment.n_unique:,}"),
        (f"records in classes below {assessment.acceptable_k}", below),
    ]
    rows += _people_at_risk(assessment)
    if assessment.n_all_missing:
        rows.append(("records with all keys missing", f"{assessment.n_all_missing:,}"))
    return rows


def _people_counted(assessment: Assessment) -> list[tuple[str, str]]:
    """Numbers of people, where class sizes count them."""
    if assessment.n_people is None:
        return []
    return [
        ("people, whom classes and k count", f"{assessment.n_people:,}"),
        ("unique people", f"{assessment.n_unique_people:,}"),
    ]


def _show_uniques(assessment: Assessment, n_uniques: int) -> None:
    shown = assessment.unique_records.head(n_uniques)
    more = assessment.n_unique - shown.height
    tail = f" (and {more:,} more)" if more > 0 else ""
    rows = [tuple(map(_format_cell, row)) for row in shown.rows()]
    print_grid(console(), f"Unique rows{tail}", shown.columns, rows)


def _people_at_risk(assessment: Assessment) -> list[tuple[str, str]]:
    """Individual and global risk, if they were measured."""
    score = assessment.scores.get("individual_risk")
    if score is None:
        return []
    expected, share = score.parts["expected_reidentifications"], score.parts["global_risk"]
    rows = [
        ("highest individual risk", percent(score.parts["highest_risk"])),
        ("global risk", f"{percent(share)}: {expected:,.1f} expected re-identifications"),
    ]
    if "household_global_risk" in score.parts:
        rows += _households_at_risk(score.parts)
    return rows


def _households_at_risk(parts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The risk that some member of a household is found."""
    share, found = parts["household_global_risk"], parts["household_expected_found"]
    expected = f"{percent(share)}: {found:,.1f} of {parts['n_households']:,} expected to be found"
    return [
        ("highest household risk", percent(parts["household_highest_risk"])),
        ("household risk", expected),
    ]


def show_verdicts(verdicts: Sequence[Verdict]) -> None:
    """Print the verdict on each of the three questions."""
    if verdicts:
        rows = [(one.question, one.level, one.sentence) for one in verdicts]
        print_grid(console(), "Verdicts", ("", "risk", ""), rows)


def show_attackers(found: Mapping[str, Attackers]) -> None:
    """Print the three attackers side by side, before and after if there are two tables."""
    rows = [
        (f"{one.name} {when}".strip(), *map(_chance, (one.highest, one.average, one.above_share)))
        for when, attackers in found.items()
        for one in attackers.all
    ]
    if rows:
        threshold = next(one.threshold for one in found.values() if one.all)
        heads = ("attacker", "highest", "average", f"above {percent(threshold)}")
        print_grid(console(), "Chance of finding the right person", heads, rows)


def _chance(chance: float | None) -> str:
    return "—" if chance is None else percent(chance)


def show_scores(title: str, scores: Mapping[str, Score]) -> None:
    """Print the scores of measures, one line each."""
    if not scores:
        return
    heads: tuple[str, ...] = ("measure", "value", "interval", "scale", "better")
    rows: list[tuple[Any, ...]] = [
        (name, score.value, _between(score), score.scale, score.better)
        for name, score in scores.items()
    ]
    if all(score.interval is None for score in scores.values()):
        heads, rows = (*heads[:2], *heads[3:]), [(*row[:2], *row[3:]) for row in rows]
    print_grid(console(), title, heads, rows)


def _between(score: Score) -> str:
    if score.interval is None:
        return ""
    low, high = score.interval
    return f"{low:.4g} to {high:.4g}"


def show_left_out(reasons: Mapping[str, str]) -> None:
    """List the measures that were not taken, and why, each reason once."""
    out = console()
    for reason in dict.fromkeys(reasons.values()):
        names = ", ".join(name for name, one in reasons.items() if one == reason)
        out.print(f"Not measured: {names} ({reason.removesuffix('.')}).", markup=False)


def _models(reached: Mapping[str, Any]) -> list[tuple[str, str, str, Any]]:
    """Levels of the models of sensitive columns, one row each."""
    rows = []
    for model, columns in reached.items():
        for column, value in columns.items() if isinstance(columns, dict) else ():
            named = value if isinstance(value, dict) else {"": value}
            rows += [(model, column, name, one) for name, one in named.items()]
    return rows


def _format_cell(value: object) -> str | None:
    """A cell unchanged, without thousands separators."""
    return None if value is None else str(value)
