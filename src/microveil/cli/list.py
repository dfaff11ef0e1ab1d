"""`microveil list`: what is registered, one line each."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from microveil.cli.options import AsJson
from microveil.cli.output import console, print_grid, print_json
from microveil.specs import Registry, Spec


class Kind(StrEnum):
    """What can be listed."""

    methods = "methods"
    models = "models"
    measures = "measures"
    hierarchies = "hierarchies"
    generators = "generators"


Which = Annotated[Kind | None, typer.Argument(help="Only these; all by default.")]


def list_registry(kind: Which = None, as_json: AsJson = False) -> None:
    """List the methods, privacy models, measures, hierarchies and generators, one line each."""
    chosen = [kind] if kind else list(Kind)
    listed = {one.value: [_entry(spec) for spec in _specs(one)] for one in chosen}
    if as_json:
        print_json(listed)
        return
    out = console()
    for name, entries in listed.items():
        rows = [(e["name"], e["summary"], ", ".join(e["parameters"])) for e in entries]
        print_grid(out, name.capitalize(), ("name", "", "parameters"), rows)


def _specs(kind: Kind) -> list[type[Spec]]:
    from microveil.hierarchies import HIERARCHIES
    from microveil.methods import METHODS
    from microveil.privacy import MODELS
    from microveil.risk import RISK_MEASURES
    from microveil.synthesis import GENERATORS
    from microveil.utility import UTILITY_MEASURES

    registries: dict[Kind, tuple[Registry[Any], ...]] = {
        Kind.methods: (METHODS,),
        Kind.models: (MODELS,),
        Kind.measures: (RISK_MEASURES, UTILITY_MEASURES),
        Kind.hierarchies: (HIERARCHIES,),
        Kind.generators: (GENERATORS,),
    }
    return [spec for registry in registries[kind] for spec in registry]


def _entry(spec: type[Spec]) -> dict[str, Any]:
    parameters = [
        field.alias or name for name, field in spec.model_fields.items() if name != spec.tag
    ]
    return {"name": spec.kind(), "summary": spec.summary(), "parameters": parameters}
