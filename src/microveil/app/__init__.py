"""Use cases: what a person does with the library, one function each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microveil.lazy_names import lazy_names

if TYPE_CHECKING:
    from microveil.app.advising import (
        Advice,
        Analysis,
        Explanation,
        Goal,
        advise,
        explain,
        goal_schema,
        mends_for,
    )
    from microveil.app.arx_projects import ArxProject, read_arx_project
    from microveil.app.assessing import assess
    from microveil.app.comparing import Comparison, compare
    from microveil.app.counted import assess_file, compare_files
    from microveil.app.draft import Draft
    from microveil.app.evaluating import evaluate_synthesis
    from microveil.app.exploration import Exploration, explore
    from microveil.app.file_runs import FileRun, price_file, run_file
    from microveil.app.fitting import Protector, fit
    from microveil.app.inspection import Inspection, inspect
    from microveil.app.lattices import lattice
    from microveil.app.preset_recipes import PresetCheck, check_preset, preset, presets
    from microveil.app.protecting import protect
    from microveil.app.running import run
    from microveil.app.spark_runs import run_spark_file
    from microveil.app.suggesting import propose, suggest

__all__ = [
    "Advice",
    "Analysis",
    "ArxProject",
    "Comparison",
    "Draft",
    "Explanation",
    "Exploration",
    "FileRun",
    "Goal",
    "Inspection",
    "PresetCheck",
    "Protector",
    "advise",
    "assess",
    "assess_file",
    "check_preset",
    "compare",
    "compare_files",
    "evaluate_synthesis",
    "explain",
    "explore",
    "fit",
    "goal_schema",
    "inspect",
    "lattice",
    "mends_for",
    "preset",
    "presets",
    "price_file",
    "propose",
    "protect",
    "read_arx_project",
    "run",
    "run_file",
    "run_spark_file",
    "suggest",
]

if not TYPE_CHECKING:
    __getattr__ = lazy_names(
        __name__,
        {
            "Advice": "advising",
            "Analysis": "advising",
            "Explanation": "advising",
            "advise": "advising",
            "explain": "advising",
            "goal_schema": "advising",
            "ArxProject": "arx_projects",
            "Comparison": "comparing",
            "Draft": "draft",
            "Exploration": "exploration",
            "FileRun": "file_runs",
            "Goal": "advising",
            "Inspection": "inspection",
            "PresetCheck": "preset_recipes",
            "Protector": "fitting",
            "assess": "assessing",
            "assess_file": "counted",
            "check_preset": "preset_recipes",
            "compare": "comparing",
            "compare_files": "counted",
            "evaluate_synthesis": "evaluating",
            "explore": "exploration",
            "fit": "fitting",
            "inspect": "inspection",
            "lattice": "lattices",
            "mends_for": "advising",
            "preset": "preset_recipes",
            "presets": "preset_recipes",
            "price_file": "file_runs",
            "protect": "protecting",
            "read_arx_project": "arx_projects",
            "run": "running",
            "run_file": "file_runs",
            "run_spark_file": "spark_runs",
            "propose": "suggesting",
            "suggest": "suggesting",
        },
    )
