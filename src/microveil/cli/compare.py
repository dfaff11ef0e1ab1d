"""`microveil compare`: risk and utility of a release compared with its original."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from microveil.cli import options, role_options
from microveil.cli.fail_if import (
    FailIf,
    Threshold,
    fail_if_any,
    failed_object,
    failures,
    thresholds,
)
from microveil.cli.linked_tables import linked_view
from microveil.cli.output import MISSING_WORDS, console, print_json, progress_bar
from microveil.cli.risk import show_attackers, show_left_out, show_scores, show_verdicts

if TYPE_CHECKING:
    from microveil.app import Comparison

Original = Annotated[str, typer.Argument(metavar="ORIGINAL", show_default=False)]
Released = Annotated[str, typer.Argument(metavar="RELEASED", show_default=False)]
Shuffled = Annotated[
    bool,
    typer.Option("--shuffled", help="The release is in a different row order: do not pair rows."),
]
Control = Annotated[
    str | None,
    typer.Option(
        "--control",
        metavar="DATA",
        help="Records of the same population not used for the release, to compare attacks with.",
    ),
]


@options.takes_reading_options
@role_options.takes_role_options
def compare(
    original: Original,
    released: Released,
    shuffled: Shuffled = False,
    measures: options.Measures = "default",
    control: Control = None,
    fail_if: FailIf = None,
    as_json: options.AsJson = False,
    *,
    given: dict[str, Any],
    reading: dict[str, Any],
) -> None:
    """Measure risk and utility of a release against its original.

    Reading options apply to the original and the control; the format of the release is detected.

    Example: [bold]microveil compare patients.csv released.csv -q age,sex -s disease[/bold]
    """
    from microveil import app
    from microveil.files.reading import read_released

    limits = thresholds(fail_if)
    people = linked_view(given, original, reading)
    recipe = None if people is not None else role_options.recipe_of(given)
    with progress_bar() as progress:
        before: Any
        after: Any
        if people is None:
            before, labels = options.read_labelled_data(original, reading, recipe)
            after = read_released(released, labels)
        else:
            before, after = people, linked_view(given, released, {})
        comparison = app.compare(
            before,
            after,
            role_options.roles_of(given) if recipe is None and people is None else None,
            aligned=False if shuffled or people is not None else None,
            missing=role_options.missing_of(given),
            measures=options.measures_of(measures),
            control=options.read_data(control, reading) if control else None,
            recipe=recipe,
            progress=progress,
        )
    broken = _failures(comparison, limits)
    if as_json:
        print_json(comparison.to_dict() | failed_object(limits, broken))
    else:
        show_comparison(comparison)
    fail_if_any(broken)


def _failures(comparison: Comparison, limits: Sequence[Threshold]) -> list[str]:
    """Thresholds that the release violates; k is that of the release."""
    plain = comparison.to_dict()
    numbers = {"k": plain["k_after"], "k_before": plain["k_before"], **plain["details"]}
    return failures(limits, numbers, {**comparison.skipped, **comparison.invalid})


def show_comparison(comparison: Comparison) -> None:
    """Print a comparison: measures of risk and utility, verdicts, and what was left out."""
    out = console()
    matched = MISSING_WORDS[comparison.after.missing]
    out.print(f"k before {comparison.before.k:,}, after {comparison.after.k:,} ({matched})")
    for title, scores in comparison.titled_scores():
        show_scores(title, scores)
    show_verdicts(comparison.verdicts)
    show_attackers(comparison.attackers)
    for note in comparison.notes:
        out.print(note, markup=False)
    show_left_out({**comparison.invalid, **comparison.skipped})
