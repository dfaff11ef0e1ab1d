"""Run a recipe from file to file: whole in memory, or part by part."""

from microveil.app.file_runs.pricing import price_file
from microveil.app.file_runs.result import FileRun
from microveil.app.file_runs.use_case import run_file

__all__ = ["FileRun", "price_file", "run_file"]
