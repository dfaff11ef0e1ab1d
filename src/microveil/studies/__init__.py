"""The experiments of the source documents: their data, and their tables beside ours."""

from microveil.studies.ad_views import ad_views, ad_views_recipe
from microveil.studies.base import Study, StudyResult
from microveil.studies.cells import Cell, Experiment
from microveil.studies.registry import STUDIES, find_study
from microveil.studies.writing import write_study

__all__ = [
    "STUDIES",
    "Cell",
    "Experiment",
    "Study",
    "StudyResult",
    "ad_views",
    "ad_views_recipe",
    "find_study",
    "write_study",
]
