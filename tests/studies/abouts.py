"""What a page says before its tables, checked against what there is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from microveil.cli.commands import COMMANDS
from microveil.methods import METHODS
from microveil.privacy import MODELS
from microveil.risk import RISK_MEASURES
from microveil.studies.base import About
from microveil.utility import UTILITY_MEASURES

NAMES = {
    name
    for registry in (METHODS, MODELS, RISK_MEASURES, UTILITY_MEASURES)
    for name in registry.classes
}


def named(about: About) -> Iterable[str]:
    """Names of methods, models, measures and commands that the table of words sends readers to."""
    for ours in about.ours.values():
        for word in re.findall(r"`([^`]+)`", ours):
            yield word.removeprefix("microveil ").split(" ")[0]


def unknown(about: About, also: Iterable[str] = ()) -> list[str]:
    """Those that do not exist; ``also`` are parameters and functions that do."""
    known = {*NAMES, *COMMANDS, *also}
    return sorted(set(named(about)) - known)


def without_caption(about: About, figures: Mapping[str, object]) -> list[str]:
    """Figures that no caption begins to name."""
    return [name for name in figures if not any(name.startswith(start) for start in about.captions)]


def unused_captions(about: About, figures: Mapping[str, object]) -> list[str]:
    """Captions of no figure."""
    return [
        start for start in about.captions if not any(name.startswith(start) for name in figures)
    ]
