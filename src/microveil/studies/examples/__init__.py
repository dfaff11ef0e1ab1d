"""Example data: seeded generators of realistic tables, and the course's printed ones."""

from microveil.studies.examples.base import Example
from microveil.studies.examples.registry import EXAMPLES

__all__ = ["EXAMPLES", "Example"]
