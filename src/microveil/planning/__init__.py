"""Planning: steps that need the whole table, planned from counts and applied part by part.

A table larger than memory is never loaded as a whole. What a step needs to know about the table is
counted (the distinct rows of a few columns, and how often each occurs); the step's own code turns
the counts into a plan, and the plan is applied to one part after another, on one machine or many.
"""

from microveil.planning.cost_estimate import CostEstimate, estimate_cost
from microveil.planning.course import Course, Engine
from microveil.planning.files import FileEngine
from microveil.planning.plan import State, StepPlan
from microveil.planning.planner import plan_steps

__all__ = [
    "CostEstimate",
    "Course",
    "Engine",
    "FileEngine",
    "State",
    "StepPlan",
    "estimate_cost",
    "plan_steps",
]
