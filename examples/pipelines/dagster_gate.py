"""A Dagster asset that is made only if the gate lets it pass."""

# ruff: noqa: INP001  a file for Dagster's code location
from dagster import Failure, asset

import microveil as mv
from microveil.app.file_runs.gating import gate

RECIPE, SOURCE = "recipe.yaml", "/srv/data/month.csv"


@asset
def released() -> None:
    """The released file of this month."""
    recipe = mv.Recipe.read(RECIPE)
    registry = mv.Registry("/srv/releases/releases.db")
    terms = mv.RegistryTerms(registry, source="discharges", person="patient")
    found = gate(recipe, SOURCE, baseline="last", registry=terms)
    if not found.holds:
        raise Failure(" ".join(found.sentences()))
    mv.run_file(recipe, SOURCE, "released.csv", registry=terms)
