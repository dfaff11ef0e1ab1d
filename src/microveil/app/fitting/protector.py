"""Protector: a recipe as a scikit-learn transformer."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from microveil.app.fitting.use_case import fit_with_release, write_fitted
from microveil.app.running import run
from microveil.errors import InputError, did_you_mean
from microveil.recipes import Recipe


class Protector:
    """A recipe that learns from one table (``fit``) and protects others (``transform``).

    It follows scikit-learn's protocol without needing scikit-learn: ``get_params``,
    ``set_params``, ``clone``. What it has learnt is ``recipe_``, a recipe like any other. Every
    table that ``transform`` returns meets the recipe's requirements on its own; otherwise
    :class:`~microveil.errors.RequirementNotMetError` is raised. Records outside all known classes
    are removed, so that there may be fewer rows than went in.

    >>> recipe = Recipe.from_yaml("steps: [{method: group_rare, columns: [pet], min_count: 2}]")
    >>> protector = Protector(recipe).fit({"pet": ["cat", "cat", "owl"]})
    >>> protector.transform({"pet": ["cat", "dog"]})["pet"].to_list()
    ['cat', 'other']
    """

    def __init__(self, recipe: Recipe, seed: int | None = None) -> None:
        """Store the parameters; nothing is learnt yet."""
        self.recipe = recipe
        self.seed = seed

    def __repr__(self) -> str:
        """The steps' names; the seed is a secret."""
        steps = ", ".join(step.kind() for step in getattr(self.recipe, "steps", ()))
        state = "fitted" if hasattr(self, "recipe_") else "not fitted"
        return f"Protector({steps}; {state})"

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: everything but the seed, which is a secret."""
        return {**self.__dict__, "seed": None}

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002, N803  scikit-learn's names
        """Learn from a table; its requirements must hold."""
        self.recipe_ = fit_with_release(self.recipe, X, seed=self.seed)[0]
        return self

    def transform(self, X: Any) -> Any:  # noqa: N803  scikit-learn's name
        """Protect a table with what was learnt; returns the same kind of frame."""
        if not hasattr(self, "recipe_"):
            raise InputError("This protector has learnt nothing yet. Call `fit` first.")
        return run(self.recipe_, X, seed=self.seed).data

    def fit_transform(self, X: Any, y: Any = None) -> Any:  # noqa: ARG002, N803  scikit-learn's
        """Learn from a table, and return its own release."""
        self.recipe_, release = fit_with_release(self.recipe, X, seed=self.seed)
        return release.data

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002, FBT001, FBT002  scikit-learn's
        """The parameters by name."""
        return {"recipe": self.recipe, "seed": self.seed}

    def set_params(self, **parameters: Any) -> Self:
        """Replace parameters: ``recipe``, ``seed``, or one of the recipe (``steps__1__k=10``)."""
        for name, value in parameters.items():
            if name in ("recipe", "seed"):
                setattr(self, name, value)
            elif "__" in name:
                self.recipe = self.recipe.with_values({name.replace("__", "."): value})
            else:
                hint = did_you_mean(name, ("recipe", "seed"))
                raise InputError("Protector has no parameter '{name}'.{hint}", name=name, hint=hint)
        return self

    def save(self, path: str | Path) -> Path:
        """Write what was learnt as a recipe file, which ``microveil run`` reads."""
        if not hasattr(self, "recipe_"):
            raise InputError("This protector has learnt nothing yet. Call `fit` first.")
        return write_fitted(self.recipe_, path)

    @classmethod
    def load(cls, path: str | Path, seed: int | None = None) -> Self:
        """A protector with what another one saved, ready to transform."""
        protector = cls(Recipe.read(path), seed)
        protector.recipe_ = protector.recipe
        return protector
