"""Figures: a result in, a Vega-Lite chart out; one figure per file."""

from microveil.plots.class_sizes import class_sizes_chart
from microveil.plots.export import to_png, to_svg
from microveil.plots.kept_cells import kept_cells_chart
from microveil.plots.risk_before_after import risk_before_after_chart

__all__ = [
    "class_sizes_chart",
    "kept_cells_chart",
    "risk_before_after_chart",
    "to_png",
    "to_svg",
]
