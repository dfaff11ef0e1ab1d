"""Protector: a recipe as a scikit-learn transformer."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, Self

import numpy as np

from microveil.app.fitting.estimator_protocol import describe, is_not_fitted, request_nothing
from microveil.app.fitting.features import Container, Features, FeaturesError, take_rows
from microveil.app.fitting.use_case import fit_with_release, write_fitted
from microveil.app.running import run
from microveil.display import Card, Shown, grid
from microveil.errors import InputError, did_you_mean
from microveil.methods import LocalSuppression, Method, SuppressRecords
from microveil.recipes import Recipe
from microveil.release.aligning import Removed
from microveil.release.release import Release
from microveil.texts import phrase

PARAMETERS = ("recipe", "seed", "removed", "new_data")


class Protector(Shown):
    """A recipe that learns from one table (``fit``) and protects others (``transform``).

    It follows scikit-learn's protocol without needing scikit-learn, so that it stands in a
    ``Pipeline`` or a grid search: clone, ``set_output``, feature names, metadata routing. What it
    has learnt is ``recipe_``, a recipe like any other.

    ``removed``
        What becomes of rows that the recipe removes. By default (``missing``) they stay as rows
        without content, so that X, y and the index remain side by side; with ``coarsest`` their
        text keys read ``*``; with ``drop`` they are left out and the other rows keep their index.
    ``new_data``
        By default (``protect``) each table that ``transform`` returns meets the recipe's
        requirements on its own; otherwise
        :class:`~microveil.errors.RequirementNotMetError` is raised. With ``code``, new rows are
        only coded as the first table was, however few they are, and nothing is required: for
        predicting about people whose values one has already, never for publication.

    >>> recipe = Recipe.from_yaml("steps: [{method: group_rare, columns: [pet], min_count: 2}]")
    >>> protector = Protector(recipe).fit({"pet": ["cat", "cat", "owl"]})
    >>> protector.transform({"pet": ["cat", "dog"]})["pet"].to_list()
    ['cat', 'other']
    """

    def __init__(
        self,
        recipe: Recipe,
        seed: int | None = None,
        removed: Removed = "missing",
        new_data: Literal["protect", "code"] = "protect",
    ) -> None:
        """Store the parameters; nothing is learnt yet."""
        self.recipe = recipe
        self.seed = seed
        self.removed = removed
        self.new_data = new_data

    def card(self) -> Card:
        """The steps and whether it is fitted; the seed is a secret."""
        steps = [(at, step.kind()) for at, step in enumerate(self._steps(), 1)]
        state = "fitted" if self.__sklearn_is_fitted__() else "not fitted"
        lines = (f"removed rows: {self.removed}; new data: {self.new_data}",)
        return Card(f"Protector ({state})", lines, (grid(("step", "method"), steps),))

    def __repr__(self) -> str:
        """One line, as pipelines show their steps; the seed is a secret."""
        steps = ", ".join(step.kind() for step in self._steps())
        state = "fitted" if self.__sklearn_is_fitted__() else "not fitted"
        return f"Protector({steps}; {state})"

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: everything but the seed, which is a secret."""
        return {**self.__dict__, "seed": None}

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002, N803  scikit-learn's names
        """Learn from a table; its requirements must hold."""
        self._learn(Features.read(X))
        return self

    def transform(self, X: Any) -> Any:  # noqa: N803  scikit-learn's name
        """Protect a table with what was learnt; returns the same kind of frame or matrix."""
        features = self._known_features(X)
        return self._show(features, self._protect(features))

    def fit_transform(self, X: Any, y: Any = None) -> Any:  # noqa: ARG002, N803  scikit-learn's
        """Learn from a table, and return its own release."""
        features = Features.read(X)
        return self._show(features, self._learn(features))

    def fit_resample(self, X: Any, y: Any) -> tuple[Any, Any]:  # noqa: N803  imbalanced-learn's
        """Learn from a table, and return the released rows with their targets, both shorter.

        The name that samplers of imbalanced-learn have: its pipelines call it when they learn, and
        leave rows alone when they predict.
        """
        features = Features.read(X)
        return self._pair(features, y, self._learn(features))

    def resample(self, X: Any, y: Any) -> tuple[Any, Any]:  # noqa: N803  scikit-learn's name
        """Protect a table with what was learnt, and return its rows with their targets."""
        features = self._known_features(X)
        return self._pair(features, y, self._protect(features))

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The columns that come out, in their order."""
        self._must_be_fitted()
        if input_features is not None and list(input_features) != list(self._names_in):
            raise FeaturesError("input_features is not equal to feature_names_in_.")
        return np.asarray(self._names_out, dtype=object)

    def set_output(self, *, transform: Container | None = None) -> Self:
        """Choose the kind of frame that comes out: ``default``, ``pandas`` or ``polars``."""
        if transform is not None:
            if transform not in ("default", "pandas", "polars"):
                raise FeaturesError("Output is 'default', 'pandas' or 'polars'.")
            self._container = transform
        return self

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002, FBT001, FBT002  scikit-learn's
        """The parameters by name."""
        return {name: getattr(self, name) for name in PARAMETERS}

    def set_params(self, **parameters: Any) -> Self:
        """Replace parameters, or one of the recipe (``steps__1__k=10``)."""
        for name, value in parameters.items():
            if name in PARAMETERS:
                setattr(self, name, value)
            elif "__" in name:
                self.recipe = self.recipe.with_values({name.replace("__", "."): value})
            else:
                hint = did_you_mean(name, PARAMETERS)
                raise InputError("Protector has no parameter '{name}'.{hint}", name=name, hint=hint)
        return self

    def get_metadata_routing(self) -> Any:
        """None is asked for: sample weights pass by to the estimators behind it."""
        return request_nothing(self)

    def __sklearn_tags__(self) -> Any:
        """A transformer that takes frames, text and missing values."""
        return describe()

    def __sklearn_is_fitted__(self) -> bool:
        """Whether it has learnt."""
        return hasattr(self, "recipe_")

    def save(self, path: str | Path) -> Path:
        """Write what was learnt as a recipe file, which ``microveil run`` reads."""
        self._must_be_fitted()
        return write_fitted(self.recipe_, path)

    @classmethod
    def load(cls, path: str | Path, seed: int | None = None, **parameters: Any) -> Self:
        """A protector with what another one saved, ready to transform."""
        protector = cls(Recipe.read(path), seed, **parameters)
        protector.recipe_ = protector.recipe
        return protector

    def _steps(self) -> tuple[Method, ...]:
        """The steps as they stand; none while something else than a recipe was given."""
        return tuple(getattr(getattr(self, "recipe_", self.recipe), "steps", ()))

    def _must_be_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            told = phrase("This Protector has learnt nothing yet. Call `fit` first.")
            raise is_not_fitted(told)

    def _learn(self, features: Features) -> Release:
        features.refuse_empty()
        self.recipe_, release = fit_with_release(self.recipe, features.frame, seed=self.seed)
        held_back = set(release.held_back)
        self._names_in = features.names
        self._names_out = [name for name in release.table.columns if name not in held_back]
        self.n_features_in_ = len(features.names)
        if not features.is_matrix:
            self.feature_names_in_ = np.asarray(features.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return release

    def _known_features(self, given: Any) -> Features:
        """New features; as many columns as were learnt from, if they have no names."""
        self._must_be_fitted()
        features = Features.read(given)
        expected = getattr(self, "n_features_in_", None)
        if features.is_matrix and expected not in (None, len(features.names)):
            raise FeaturesError(
                "X has {n} features, but Protector is expecting {expected} features as input.",
                n=len(features.names),
                expected=expected,
            )
        return features

    def _protect(self, features: Features) -> Release:
        recipe = self.recipe_
        if self.new_data == "code":
            counting = (SuppressRecords, LocalSuppression)
            steps = tuple(step for step in recipe.steps if not isinstance(step, counting))
            recipe = recipe.with_values({"steps": steps, "require": ()})
        release: Release = run(recipe, features.frame, seed=self.seed)
        return release

    def _show(self, features: Features, release: Release) -> Any:
        container: Container = getattr(self, "_container", "default")
        return features.back(release.align(self.removed), container)

    def _pair(self, features: Features, target: Any, release: Release) -> tuple[Any, Any]:
        container: Container = getattr(self, "_container", "default")
        kept = np.arange(features.n_rows) if release.rows is None else release.rows
        return features.back(release.align("drop"), container), take_rows(target, kept)
