"""Reports: a release summarised into plain data, then rendered as HTML or JSON."""

from microveil.plots.small_counts import SMALL_COUNT
from microveil.reports.audience import Audience
from microveil.reports.summarizing import summarize
from microveil.reports.summary import Summary
from microveil.reports.writing import write_report

__all__ = ["SMALL_COUNT", "Audience", "Summary", "summarize", "write_report"]
