"""Use cases: what a person does with the library, one function each."""

from microveil.app.arx_projects import ArxProject, read_arx_project
from microveil.app.assessing import assess
from microveil.app.comparing import Comparison, compare
from microveil.app.draft import Draft
from microveil.app.evaluating import evaluate_synthesis
from microveil.app.exploration import Exploration, explore
from microveil.app.file_runs import FileRun, run_file
from microveil.app.fitting import Protector, fit
from microveil.app.inspection import Inspection, inspect
from microveil.app.lattices import lattice
from microveil.app.presets import PresetCheck, check_preset, preset, presets
from microveil.app.protecting import protect
from microveil.app.running import run
from microveil.app.suggesting import suggest

__all__ = [
    "ArxProject",
    "Comparison",
    "Draft",
    "Exploration",
    "FileRun",
    "Inspection",
    "PresetCheck",
    "Protector",
    "assess",
    "check_preset",
    "compare",
    "evaluate_synthesis",
    "explore",
    "fit",
    "inspect",
    "lattice",
    "preset",
    "presets",
    "protect",
    "read_arx_project",
    "run",
    "run_file",
    "suggest",
]
