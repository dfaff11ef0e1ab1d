"""The commands of the program, in the order help lists them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import typer

from microveil.cli.advise import advise
from microveil.cli.app import app
from microveil.cli.check import check
from microveil.cli.compare import compare
from microveil.cli.demo import demo
from microveil.cli.example import example
from microveil.cli.explore import explore
from microveil.cli.fit import fit
from microveil.cli.gate import gate
from microveil.cli.hierarchy import hierarchy
from microveil.cli.import_arx import import_arx
from microveil.cli.inspect import inspect
from microveil.cli.lattice import lattice
from microveil.cli.list import list_registry
from microveil.cli.metadata import metadata
from microveil.cli.outputs import outputs
from microveil.cli.preset import preset
from microveil.cli.protect import protect
from microveil.cli.pseudonyms import pseudonyms
from microveil.cli.releases import releases
from microveil.cli.risk import risk
from microveil.cli.run import run
from microveil.cli.schema import schema
from microveil.cli.serve import serve
from microveil.cli.study import study
from microveil.cli.table import table
from microveil.cli.verify import verify
from microveil.cli.warm_up import warm_up

COMMANDS: Mapping[str, Callable[..., None]] = {
    "demo": demo,
    "app": app,
    "inspect": inspect,
    "risk": risk,
    "protect": protect,
    "advise": advise,
    "preset": preset,
    "check": check,
    "run": run,
    "lattice": lattice,
    "fit": fit,
    "gate": gate,
    "table": table,
    "metadata": metadata,
    "verify": verify,
    "compare": compare,
    "explore": explore,
    "list": list_registry,
    "import-arx": import_arx,
    "example": example,
    "study": study,
    "warm-up": warm_up,
}
LOGGED = frozenset(COMMANDS) - {"app", "demo", "example", "list", "run"}
"""Commands that may take long and get `--verbose` and `--log`; `run` has its own, and logs more."""
LONG = LOGGED | {"app", "demo", "run"}
"""Commands that get `--threads`."""
GROUPS: Mapping[str, typer.Typer] = {
    "hierarchy": hierarchy,
    "outputs": outputs,
    "pseudonyms": pseudonyms,
    "releases": releases,
    "schema": schema,
    "serve": serve,
}
