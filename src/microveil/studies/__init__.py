"""The experiments of the source documents: their data, and their tables beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microveil.lazy_names import lazy_names
from microveil.studies.ad_views import ad_views, ad_views_recipe

if TYPE_CHECKING:
    from microveil.studies.base import Study, StudyResult
    from microveil.studies.cells import Cell, Experiment
    from microveil.studies.examples.omop import OMOP_RECIPE, omop_tables
    from microveil.studies.registry import STUDIES, find_study
    from microveil.studies.writing import write_study

__all__ = [
    "OMOP_RECIPE",
    "STUDIES",
    "Cell",
    "Experiment",
    "Study",
    "StudyResult",
    "ad_views",
    "ad_views_recipe",
    "find_study",
    "omop_tables",
    "write_study",
]

if not TYPE_CHECKING:
    __getattr__ = lazy_names(
        __name__,
        {
            "OMOP_RECIPE": "examples.omop",
            "STUDIES": "registry",
            "Cell": "cells",
            "Experiment": "cells",
            "Study": "base",
            "StudyResult": "base",
            "find_study": "registry",
            "omop_tables": "examples.omop",
            "write_study": "writing",
        },
    )
