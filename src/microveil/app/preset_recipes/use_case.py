"""Make a preset's recipe for a table, and check whether a table follows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from microveil.app.preset_recipes import clinical, risk_based, safe_harbor
from microveil.errors import InputError, did_you_mean
from microveil.recipes import Recipe
from microveil.tables import to_polars

_RECIPES: Mapping[str, tuple[Callable[..., Recipe], Callable[..., Iterator[str]]]] = {
    "hipaa_safe_harbor": (safe_harbor.safe_harbor, safe_harbor.problems),
    "clinical_publication": (clinical.clinical_publication, clinical.problems),
    "ema_0070": (risk_based.ema_0070, risk_based.problems),
    "ehds": (risk_based.ehds, risk_based.problems),
    "hipaa_expert_determination": (risk_based.hipaa_expert_determination, risk_based.problems),
    "nist_sp_800_188": (risk_based.nist_sp_800_188, risk_based.problems),
    "iso_27559": (risk_based.iso_27559, risk_based.problems),
}


@dataclass(frozen=True)
class PresetCheck:
    """Whether a table follows a preset's rule, as far as an inspection can see."""

    preset: str
    problems: tuple[str, ...]
    """One sentence each; none names a cell's value."""

    @property
    def holds(self) -> bool:
        """Whether no problem was found."""
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"preset": self.preset, "holds": self.holds, "problems": list(self.problems)}


def presets() -> dict[str, str]:
    """All presets, each with the first line of its description."""
    return {name: (make.__doc__ or "").split("\n", 1)[0] for name, (make, _) in _RECIPES.items()}


def preset(name: str, data: Any, **options: Any) -> Recipe:
    """A recipe that follows a published rule, made for the columns of a table.

    It is a starting point to review and change: an inspection guesses what columns hold. See
    :func:`presets` for the names.

    >>> frame = {"name": ["Ann Lee", "Bo Fox"], "age": [34, 97]}
    >>> [step.kind() for step in preset("hipaa_safe_harbor", frame).steps]
    ['drop', 'top_bottom_code']
    """
    return _find_preset(name)[0](to_polars(data), **options)


def check_preset(name: str, data: Any, **options: Any) -> PresetCheck:
    """Look for violations of the rule in a table."""
    return PresetCheck(name, tuple(_find_preset(name)[1](to_polars(data), **options)))


def _find_preset(name: str) -> tuple[Callable[..., Recipe], Callable[..., Iterator[str]]]:
    if name not in _RECIPES:
        hint = did_you_mean(name, _RECIPES)
        raise InputError(
            "No preset '{name}'.{hint} Presets: {recipes:quoted}.",
            name=name,
            hint=hint,
            recipes=_RECIPES,
        )
    return _RECIPES[name]
