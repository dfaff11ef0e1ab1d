"""Publish microdata without publishing people.

>>> import microveil as mv
>>> roles = mv.Roles(quasi_identifiers=["sex"])
>>> mv.assess({"sex": ["f", "f", "m"]}, roles).n_unique
1

All public names are available here; a subpackage is loaded when something in it is first used, so
that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from microveil import dp as dp
    from microveil.app import *  # noqa: F403  what stands in a room's __all__ is public here too
    from microveil.errors import *  # noqa: F403
    from microveil.files import *  # noqa: F403
    from microveil.hierarchies import *  # noqa: F403
    from microveil.methods import *  # noqa: F403
    from microveil.privacy import *  # noqa: F403
    from microveil.recipes import *  # noqa: F403
    from microveil.release import *  # noqa: F403
    from microveil.risk import *  # noqa: F403
    from microveil.scores import *  # noqa: F403
    from microveil.search import *  # noqa: F403
    from microveil.service import *  # noqa: F403
    from microveil.synthesis import *  # noqa: F403
    from microveil.tables import *  # noqa: F403
    from microveil.utility import *  # noqa: F403

_ROOMS = (
    "errors",
    "scores",
    "tables",
    "files",
    "hierarchies",
    "privacy",
    "methods",
    "app",
    "search",
    "synthesis",
    "risk",
    "utility",
    "recipes",
    "release",
    "service",
)
"""Where names are looked up, in this order: what loads little comes first."""


_INDOORS = frozenset(
    [
        "AnyHierarchy",
        "BatchWriter",
        "Distinct",
        "Door",
        "FORMATS",
        "Format",
        "Interval",
        "LazyTable",
        "Match",
        "Missing",
        "Node",
        "ReadOptions",
        "Reason",
        "STAR",
        "ShuffledBatchWriter",
        "Unlisted",
        "WorstClass",
        "WriteOptions",
        "as_builder",
        "as_table",
        "assess_table",
        "beside",
        "describe",
        "format_of",
        "from_tree",
        "pair_verdicts",
        "reached",
        "skeleton",
        "unlisted_values",
        "read_labels",
        "table_verdicts",
        "to_polars",
        "to_tree",
        "write_text",
    ]
)
"""What packages offer each other and nobody else needs; import it from its package."""


def __getattr__(name: str) -> Any:
    """Find a public name, load its package, and keep it."""
    if not name.startswith("_") and name not in _INDOORS:
        if find_spec(f"{__name__}.{name}") is not None:
            # A package itself, as in `from microveil import app`: no need to search, and load, all.
            return import_module(f"{__name__}.{name}")
        for room in _ROOMS:
            module = import_module(f"{__name__}.{room}")
            if name in module.__all__:
                value = globals()[name] = getattr(module, name)
                return value
    hint = "" if name.startswith("_") else _hint(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}.{hint}")


def _hint(name: str) -> str:
    from microveil.errors import did_you_mean

    return did_you_mean(name, __dir__())


def __dir__() -> list[str]:
    """The public names, for completion in notebooks."""
    names = {name for room in _ROOMS for name in import_module(f"{__name__}.{room}").__all__}
    return sorted((names - _INDOORS) | {"__version__", "dp"})
