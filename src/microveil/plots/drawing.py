"""Shared by all figures: loading the plotting library, palette, fonts and sizes."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from microveil.display import percent
from microveil.errors import InputError

if TYPE_CHECKING:
    import altair as alt

    Chart: TypeAlias = alt.Chart | alt.LayerChart | alt.HConcatChart | alt.VConcatChart

# Okabe & Ito (2008): distinguishable under common colour blindness, and in grey.
SAFE = "#0072B2"
RISKY = "#D55E00"
NEUTRAL = "#6B7280"
INK = "#1F2933"
FAINT = "#E4E7EB"

PALETTE = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#6B7280", "#1F2933"]
"""Colours of several curves or groups, in order of use."""

FONT = "Helvetica, Arial, sans-serif"
WIDTH = 360
"""Pixels of the plotting area: with its labels a figure is still readable on a phone."""
BESIDE_LABELS = 250
"""Pixels of the plotting area next to words or column names."""
LINE = 64
"""Characters of a line below a title."""


def plotting() -> ModuleType:
    """Altair, or an error that names the extra to install."""
    try:
        with _some_home():
            import altair as alt
            import vl_convert  # noqa: F401  a figure that cannot be exported is of little use
    except ImportError:
        raise InputError(
            "Figures need the `plots` extra: pip install 'microveil[plots]'."
        ) from None
    return alt


@contextmanager
def _some_home() -> Iterator[None]:
    """A home directory while Altair is imported: it asks for one, even if it never uses it."""
    try:
        Path.home()
    except RuntimeError:  # a container's user without a name
        os.environ["HOME"] = os.sep
        try:
            yield
        finally:
            del os.environ["HOME"]
    else:
        yield


def rows(values: Iterable[Mapping[str, Any]], shares: Iterable[str] = ()) -> alt.InlineData:
    """Rows as data inside the chart: nothing is fetched, nothing is truncated.

    Each of the ``shares`` is there in words, too, under :func:`in_percent`: the browser would round
    one record in thousands to 0%.
    """
    shares = tuple(shares)
    told = [
        {**row, **{in_percent(name): percent(row[name]) for name in shares if name in row}}
        for row in values
    ]
    data: alt.InlineData = plotting().InlineData(values=told)
    return data


def in_percent(name: str) -> str:
    """The field that holds a share in words."""
    return f"{name}_in_percent"


def share_tip(name: str, title: str) -> Any:
    """A tooltip that shows a share in words."""
    return plotting().Tooltip(f"{in_percent(name)}:N", title=title)


class Line(str):
    """A line of a longer text, which it remembers."""

    __slots__ = ("whole",)
    whole: str

    def __new__(cls, line: str, whole: str) -> Self:
        """The line, and the text that it is part of."""
        made = super().__new__(cls, line)
        made.whole = whole
        return made


def wrap(text: str) -> list[str]:
    """A text in lines that fit below a title."""
    return [Line(line, text) for line in textwrap.wrap(text, LINE)]


def finish(
    chart: Chart, *, title: str, height: int, width: int = WIDTH, subtitle: str = ""
) -> Chart:
    """A chart with its title, size and the common style."""
    return _dress(chart.properties(width=width, height=height), title, subtitle)


def concatenate(charts: Sequence[Any], *, title: str, subtitle: str = "") -> Chart:
    """Charts side by side under one title."""
    return _dress(plotting().hconcat(*charts, spacing=16), title, subtitle)


def stack(charts: Sequence[Any], *, title: str, subtitle: str = "") -> Chart:
    """Charts below each other under one title."""
    return _dress(plotting().vconcat(*charts, spacing=18), title, subtitle)


def _dress(chart: Chart, title: str, subtitle: str) -> Chart:
    lines = wrap(subtitle)
    head = plotting().TitleParams(title, subtitle=lines) if lines else title
    done: Chart = chart.properties(title=head).configure(**_look())
    return shown_offline(done)


def shown_offline(chart: Chart) -> Chart:
    """The same chart, shown by a notebook as a picture: no scripts, nothing fetched.

    Altair's default loads scripts from the network. Charts derived from this one keep the
    behaviour, and are still Altair charts.
    """
    # With object's own method: Altair takes every assignment for a property of the drawing.
    kind: Any = type(chart)
    object.__setattr__(chart, "__class__", _offline(kind))
    return chart


@cache
def _offline(kind: type[Any]) -> type[Any]:
    def _repr_mimebundle_(self: Any, *_: Any, **__: Any) -> dict[str, str]:
        from microveil.plots.export import to_svg

        return {"image/svg+xml": to_svg(self), "text/plain": f"<{kind.__name__}>"}

    members = {"_repr_mimebundle_": _repr_mimebundle_, "__doc__": kind.__doc__}
    return type(kind.__name__, (kind,), members)


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
