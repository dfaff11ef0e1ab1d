"""What every figure shares: the plotting library on first use, palette, type and sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from microveil.errors import InputError

if TYPE_CHECKING:
    import altair as alt

    Chart: TypeAlias = alt.Chart | alt.LayerChart

# Okabe & Ito (2008): told apart under every common kind of colour blindness, and in grey.
SAFE = "#0072B2"
RISKY = "#D55E00"
NEUTRAL = "#6B7280"
INK = "#1F2933"
FAINT = "#E4E7EB"

FONT = "Helvetica, Arial, sans-serif"
WIDTH = 360
"""Pixels of the plotting area: with its labels a figure still reads well on a phone."""
BESIDE_LABELS = 250
"""Pixels of the plotting area where words or column names stand beside it."""


def plotting() -> ModuleType:
    """Altair, or a clear word about the extra that brings it."""
    try:
        import altair as alt
        import vl_convert  # noqa: F401  a figure that cannot be exported is of little use
    except ImportError:
        raise InputError(
            "Figures need the `plots` extra: pip install 'microveil[plots]'."
        ) from None
    return alt


def rows(values: Iterable[Mapping[str, Any]]) -> alt.InlineData:
    """Rows as data that stand inside the chart: nothing is fetched, nothing is cut off."""
    data: alt.InlineData = plotting().InlineData(values=[dict(row) for row in values])
    return data


def finished(
    chart: Chart, *, title: str, height: int, width: int = WIDTH, subtitle: str = ""
) -> Chart:
    """A chart with its title, size and the common look."""
    head = plotting().TitleParams(title, subtitle=subtitle) if subtitle else title
    done: Chart = chart.properties(width=width, height=height, title=head).configure(**_look())
    return done


def _look() -> dict[str, Any]:
    axis = {
        "labelColor": INK,
        "titleColor": INK,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "titlePadding": 8,
        "gridColor": FAINT,
        "domainColor": NEUTRAL,
        "tickColor": NEUTRAL,
        "labelLimit": 180,
    }
    return {
        "font": FONT,
        "background": "white",
        "padding": 8,
        "view": {"stroke": None},
        "axis": axis,
        "legend": {
            "orient": "top",
            "title": None,
            "labelFontSize": 12,
            "labelColor": INK,
            "labelLimit": 240,
        },
        "title": {
            "anchor": "start",
            "fontSize": 14,
            "color": INK,
            "subtitleColor": NEUTRAL,
            "subtitleFontSize": 12,
            "offset": 10,
        },
    }
