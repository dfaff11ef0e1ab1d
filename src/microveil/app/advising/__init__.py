"""Advising: recipes to try for what is required, the best of them, and steps that mend."""

from microveil.app.advising.best import Advice, find_best
from microveil.app.advising.candidates import Candidate, candidates
from microveil.app.advising.goal import Goal
from microveil.release.mending import mends_for

__all__ = ["Advice", "Candidate", "Goal", "candidates", "find_best", "mends_for"]
