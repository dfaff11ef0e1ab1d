"""Advising: a goal turned into recipes, searched for, verified, and explained."""

from microveil.app.advising.advice import Advice
from microveil.app.advising.analyses import Analysis
from microveil.app.advising.candidates import Candidate
from microveil.app.advising.goal import Goal, goal_schema
from microveil.app.advising.use_case import advise
from microveil.release.mending import mends_for

__all__ = ["Advice", "Analysis", "Candidate", "Goal", "advise", "goal_schema", "mends_for"]
