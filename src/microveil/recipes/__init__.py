"""Recipe: roles, steps and requirements; YAML and JSON in and out, and their schema."""

from microveil.recipes.measure_requirement import MeasureRequirement, limit
from microveil.recipes.recipe import Recipe
from microveil.recipes.schema import recipe_schema

__all__ = ["MeasureRequirement", "Recipe", "limit", "recipe_schema"]
