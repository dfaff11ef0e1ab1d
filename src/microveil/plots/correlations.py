"""Correlations before and after protection, and how they differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from microveil.arrays import Floats
from microveil.errors import InputError
from microveil.pairs.numbers import paired_numbers
from microveil.plots.drawing import INK, NEUTRAL, concatenate, finish, plotting, rows
from microveil.plots.pairs import pair_of
from microveil.texts import phrase
from microveil.utility.parts.correlations import correlations_of

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

MOST_COLUMNS = 12
"""More columns than this cannot be read in a square of this size; the first ones are drawn."""
CELL = 30
"""Pixels of a cell: room for a signed number with two decimals."""
NUMBERS_UP_TO = 8
"""Largest number of columns for which numbers are written in the cells."""


def correlations_chart(
    original: Any,
    released: Any = None,
    *,
    columns: Sequence[str] = (),
    kind: Literal["pearson", "spearman"] = "pearson",
) -> Chart:
    """Heat maps of the correlations in the original, in the release, and of their difference.

    Takes a Release or two frames. Only complete records count; a constant column has
    correlation 0 with others. Blue is positive, orange negative.
    """
    maps = correlation_maps(original, released, columns=columns, kind=kind)
    names, n_all = maps.columns, maps.n_columns
    note = (
        phrase(", the first {n_names} of {n_all} columns", n_names=len(names), n_all=n_all)
        if n_all > len(names)
        else ""
    )
    word = "rank correlations" if kind == "spearman" else "correlations"
    return concatenate(
        [_map(title, one, names, labels=not i) for i, (title, one) in enumerate(maps.by_title)],
        title=phrase("Pairwise {word}", word=word),
        subtitle=phrase(
            "{n_records:,} complete records{note}", n_records=maps.n_records, note=note
        ),
    )


class Maps(NamedTuple):
    """The numbers behind the three heat maps."""

    columns: list[str]
    n_columns: int
    """Columns that could be correlated, of which the first are drawn."""
    n_records: int
    before: Floats
    after: Floats

    @property
    def by_title(self) -> list[tuple[str, Floats]]:
        """Original, release and difference."""
        return [
            ("Original", self.before),
            ("Release", self.after),
            ("Difference", self.after - self.before),
        ]


def correlation_maps(
    original: Any,
    released: Any = None,
    *,
    columns: Sequence[str] = (),
    kind: Literal["pearson", "spearman"] = "pearson",
) -> Maps:
    """Correlations of both tables, arranged for drawing."""
    if kind not in ("pearson", "spearman"):
        raise InputError("No correlation '{kind}'. Choose pearson or spearman.", kind=kind)
    paired = paired_numbers(*pair_of(original, released), tuple(columns)).complete
    names = list(paired.columns)[:MOST_COLUMNS]
    if len(names) < 2:  # noqa: PLR2004  a correlation takes two
        raise InputError("Correlations need two columns that are numeric in both tables.")
    before, after = (
        correlations_of(one[:, : len(names)], ranked=kind == "spearman")
        for one in (paired.before, paired.after)
    )
    return Maps(names, len(paired.columns), len(paired.before), before, after)


def correlation_map_chart(title: str, values: Floats, names: list[str]) -> Chart:
    """A single heat map, for narrow pages."""
    drawing = _map(title, values, names, labels=True)
    side = _side(names)
    return finish(
        drawing, title=phrase("Correlations: {title}", title=title.lower()), width=side, height=side
    )


def _side(names: list[str]) -> int:
    return max(120, CELL * len(names))


def _map(title: str, values: Floats, names: list[str], *, labels: bool) -> Any:
    alt = plotting()
    cells = [
        {
            "row": one,
            "column": other,
            "r": round(float(values[i, j]), 4),
            "words": _words(float(values[i, j]), signed=title == "Difference"),
        }
        for i, one in enumerate(names)
        for j, other in enumerate(names)
    ]
    side = _side(names)
    base = alt.Chart(rows(cells)).encode(
        x=alt.X("column:N", sort=None, title=None, axis=alt.Axis(labelAngle=-90, labelLimit=90)),
        y=alt.Y("row:N", sort=None, title=None, axis=alt.Axis(labelLimit=90, labels=labels)),
        tooltip=[
            alt.Tooltip("row:N", title=phrase("Column")),
            alt.Tooltip("column:N", title=phrase("with")),
            alt.Tooltip("r:Q", title=title, format=".3f"),
        ],
    )
    squares = base.mark_rect().encode(color=_correlation_colour())
    chart = squares
    if len(names) <= NUMBERS_UP_TO:
        chart = squares + base.mark_text(fontSize=9).encode(
            text="words:N",
            color=alt.condition("abs(datum.r) > 0.6", alt.value("white"), alt.value(INK)),
        )
    return chart.properties(title=title, width=side, height=side)


def _correlation_colour() -> Any:
    alt = plotting()
    scale = alt.Scale(domain=[-1, 0, 1], range=["#D55E00", "#FFFFFF", "#0072B2"], interpolate="rgb")
    # Squares, not a gradient: that would be a named part, and names clash if several figures
    # are on one page.
    legend = alt.Legend(
        type="symbol",
        orient="bottom",
        direction="horizontal",
        title=None,
        values=[-1, -0.5, 0, 0.5, 1],
        symbolType="square",
        symbolStrokeColor=NEUTRAL,
    )
    return alt.Color("r:Q", scale=scale, legend=legend)


def _words(value: float, *, signed: bool) -> str:
    """A number in a cell; a difference has its sign, unless it rounds to zero.

    >>> _words(-0.001, signed=True), _words(0.5, signed=True), _words(0.5, signed=False)
    ('0', '+0.50', '0.50')
    """
    rounded = round(value, 2)
    if signed:
        return f"{rounded:+.2f}" if rounded else "0"
    return f"{rounded + 0.0:.2f}"
