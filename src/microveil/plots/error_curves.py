"""How far values moved, from the least changed record to the most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from microveil.arrays import Floats
from microveil.errors import InputError
from microveil.pairs.numbers import paired_numbers
from microveil.plots.drawing import PALETTE, finish, plotting, rows, share_tip
from microveil.plots.pairs import pair_of
from microveil.plots.small_counts import SMALL_COUNT, for_public
from microveil.texts import phrase

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

MOST_CURVES = 8
"""Curves that can be distinguished; of more columns, those that moved most are drawn."""
N_STOPS = 200
"""Points per curve, whatever the number of records."""


def error_curves_chart(
    original: Any,
    released: Any = None,
    *,
    columns: Sequence[str] = (),
    audience: str = "internal",
) -> Chart:
    """Sorted absolute errors |x − x'|: one curve per column, or per release of a mapping.

    Takes a Release, two frames, or a mapping of names to releases (then for one column, to compare
    methods as the source study does). Several columns are drawn in standard deviations of the
    original, one column in its own unit. For the public the curve ends where ten records are left.
    """
    public = for_public(audience)
    if isinstance(original, Mapping) and released is None:
        curves = _by_release(original, columns)
        unit = next(iter(columns))
    else:
        curves = _by_column(*pair_of(original, released), tuple(columns))
        unit = next(iter(curves)) if len(curves) == 1 else "standard deviations"
    if not curves:
        raise InputError("No column is numeric in both tables, so there are no errors to draw.")
    names = _most_moved(curves)
    points = [
        {"curve": name, "share": share, "error": error}
        for name in names
        for share, error in _stops(curves[name], public=public)
    ]
    left = phrase(
        "the {n_names} of {n_curves} columns that moved most",
        n_names=len(names),
        n_curves=len(curves),
    )
    note = "" if len(names) == len(curves) else left
    chart = _lines(points, names, unit)
    return finish(chart, title=phrase("How far values moved"), subtitle=note, height=220)


def _lines(points: list[dict[str, Any]], names: list[str], unit: str) -> Any:
    """A line per curve, distinguished by colour and by dashes."""
    alt = plotting()
    return (
        alt.Chart(rows(points, shares=["share"]))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X(
                "share:Q",
                title=phrase("Records, from the least changed on"),
                scale=alt.Scale(domain=[0, 1], nice=False),
                axis=alt.Axis(format="%", tickCount=5),
            ),
            y=alt.Y("error:Q", title=phrase("Absolute error ({unit})", unit=unit)),
            color=alt.Color(
                "curve:N",
                scale=alt.Scale(domain=names, range=PALETTE),
                legend=alt.Legend(columns=3) if len(names) > 1 else None,
            ),
            strokeDash=alt.StrokeDash("curve:N", scale=alt.Scale(domain=names), legend=None),
            tooltip=[
                alt.Tooltip("curve:N", title=phrase("Curve")),
                share_tip("share", phrase("Records up to")),
                alt.Tooltip("error:Q", title=phrase("Error at most"), format=".4~g"),
            ],
        )
    )


def _most_moved(curves: Mapping[str, Floats]) -> list[str]:
    """The curves to draw, in their order."""
    if len(curves) <= MOST_CURVES:
        return list(curves)
    mean = {name: float(np.nan_to_num(errors).mean()) for name, errors in curves.items()}
    chosen = set(sorted(mean, key=mean.__getitem__, reverse=True)[:MOST_CURVES])
    return [name for name in curves if name in chosen]


def _by_column(original: Any, released: Any, columns: tuple[str, ...]) -> dict[str, Floats]:
    paired = paired_numbers(original, released, columns)
    moves = np.abs(paired.before - paired.after)
    if len(paired.columns) > 1:
        spread = np.array([_spread(one) for one in paired.before.T])
        moves = moves / spread
    return {name: moves[:, i] for i, name in enumerate(paired.columns)}


def _spread(values: Floats) -> float:
    """Standard deviation of the present values; 1 for a constant column."""
    present = values[~np.isnan(values)]
    spread = float(present.std(ddof=1)) if len(present) > 1 else 0.0
    return spread if spread > 0 else 1.0


def _by_release(releases: Mapping[str, Any], columns: Sequence[str]) -> dict[str, Floats]:
    if len(columns) != 1:
        raise InputError("Releases are compared for one column: name it in columns.")
    return {
        name: next(iter(_by_column(*_pair(one), tuple(columns)).values()))
        for name, one in releases.items()
    }


def _pair(one: Any) -> tuple[Any, Any]:
    return pair_of(*one) if isinstance(one, tuple) else pair_of(one)


def _stops(errors: Floats, *, public: bool) -> list[tuple[float, float]]:
    """The sorted errors at evenly spaced shares of the records."""
    ordered = np.sort(errors[~np.isnan(errors)])
    last = len(ordered) - (SMALL_COUNT if public else 1)
    if last < 0:
        return []
    places = np.unique(np.linspace(0, last, min(N_STOPS, last + 1)).round().astype(np.int64))
    return [((i + 1) / len(ordered), float(ordered[i])) for i in places]
