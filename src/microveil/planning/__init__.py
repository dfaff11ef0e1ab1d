"""Planning: steps that look at a whole table, planned from counts and applied part by part.

A table that fits no memory is never there at once. What a step needs to know of it is counted (the
distinct rows of a few columns and how often each occurs); from that the step's own code makes a
plan, and the plan changes part after part, on one machine or on many.
"""

from microveil.planning.course import Course, Engine
from microveil.planning.files import FileEngine
from microveil.planning.plan import Plan, State
from microveil.planning.planner import plan_steps
from microveil.planning.pricing import Price, price

__all__ = ["Course", "Engine", "FileEngine", "Plan", "Price", "State", "plan_steps", "price"]
