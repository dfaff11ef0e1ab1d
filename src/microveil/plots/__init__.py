"""Figures: from a result to a Vega-Lite chart; one figure per file."""

from microveil.plots.class_sizes import class_sizes_chart
from microveil.plots.column_contributions import column_contributions_chart
from microveil.plots.correlations import correlations_chart
from microveil.plots.error_curves import error_curves_chart
from microveil.plots.export import save_svg, to_html, to_png, to_svg
from microveil.plots.histogram import histogram_chart
from microveil.plots.kept_cells import kept_cells_chart
from microveil.plots.laplace_noise import laplace_noise_chart
from microveil.plots.lattice import frontier_chart, lattice_chart
from microveil.plots.marginals import marginals_chart
from microveil.plots.privacy_loss_timeline import privacy_loss_timeline_chart
from microveil.plots.record_risk import record_risk_chart
from microveil.plots.risk_before_after import risk_before_after_chart
from microveil.plots.ru_map import ru_map_chart
from microveil.plots.trust_map import trust_map_chart

__all__ = [
    "class_sizes_chart",
    "column_contributions_chart",
    "correlations_chart",
    "error_curves_chart",
    "frontier_chart",
    "histogram_chart",
    "kept_cells_chart",
    "laplace_noise_chart",
    "lattice_chart",
    "marginals_chart",
    "privacy_loss_timeline_chart",
    "record_risk_chart",
    "risk_before_after_chart",
    "ru_map_chart",
    "save_svg",
    "to_html",
    "to_png",
    "to_svg",
    "trust_map_chart",
]
