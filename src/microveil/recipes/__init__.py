"""Recipe: roles, steps and requirements; reading and writing YAML and JSON; the schema."""

from microveil.recipes.across_releases import AcrossReleases
from microveil.recipes.measure_requirement import MeasureRequirement, limit
from microveil.recipes.recipe import Recipe
from microveil.recipes.schema import recipe_schema

__all__ = ["AcrossReleases", "MeasureRequirement", "Recipe", "limit", "recipe_schema"]
