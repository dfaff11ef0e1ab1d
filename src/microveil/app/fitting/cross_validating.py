"""Cross-validation of a protection: how much worse a model predicts if it learns from a release."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl
from scipy import stats

from microveil.app.fitting.learners import usual_learner
from microveil.app.fitting.protector import Protector
from microveil.app.running import run
from microveil.arrays import Longs
from microveil.cores import one_thread
from microveil.display import Card, Shown, grid
from microveil.errors import InputError
from microveil.progress import Progress, shows_progress, silent
from microveil.recipes import Recipe
from microveil.tables.door import Door
from microveil.tables.kinds import is_number
from microveil.tables.roles import check_columns
from microveil.texts.numbers import percent
from microveil.utility.parts.model_features import learning

FEW_VALUES = 10
"""Whole numbers with at most this many distinct values are classes."""
LEAST_FOLDS = 2


@dataclass(frozen=True, eq=False, repr=False)
class CrossValidation(Shown):
    """The quality of models that learnt from originals and from releases, fold by fold."""

    scoring: str
    before: tuple[float, ...]
    """Quality of the model that learnt from the original, on each fold."""
    after: tuple[float, ...]
    """Quality of the model that learnt from the release of the same records."""
    removed_share: float
    """Share of the training records that the protection removed, on average."""
    test_share: float
    """Held-out records for each training record."""

    @property
    def loss(self) -> float:
        """What the protection costs: the mean fall of the quality."""
        return float(np.mean(self.before) - np.mean(self.after))

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """A confidence interval of the loss.

        Folds share most of their training records, so that the variance of their differences is
        corrected by the share of held-out records (Nadeau and Bengio 2003).
        """
        falls = np.asarray(self.before) - np.asarray(self.after)
        spread = float(falls.var(ddof=1)) * (1 / len(falls) + self.test_share)
        reach = float(stats.t.ppf((1 + level) / 2, len(falls) - 1)) * float(np.sqrt(spread))
        return self.loss - reach, self.loss + reach

    def card(self) -> Card:
        """The loss with its interval, and the quality with and without protection."""
        low, high = self.interval()
        title = f"{self.scoring} falls by {self.loss:.3f} (95% interval {low:.3f} to {high:.3f})"
        sides = (("original", self.before), ("release", self.after))
        rows = [(name, float(np.mean(side)), min(side), max(side)) for name, side in sides]
        lines = (f"{percent(self.removed_share)} of the training records are removed",)
        return Card(title, lines, (grid(("learnt from", "mean", "lowest", "highest"), rows),))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        low, high = self.interval()
        return {
            "scoring": self.scoring,
            "loss": self.loss,
            "interval": [low, high],
            "before": list(self.before),
            "after": list(self.after),
            "removed_share": self.removed_share,
        }


@shows_progress
def cross_validate(  # noqa: PLR0913  one keyword for each choice
    recipe: Recipe,
    data: Any,
    target: str,
    *,
    estimator: Any = None,
    scoring: str | None = None,
    folds: int = 5,
    repeats: int = 1,
    test: Literal["coded", "original"] = "coded",
    seed: int = 0,
    progress: Progress = silent,
) -> CrossValidation:
    """How much a prediction loses if the model learns from a release of its training records.

    In each fold one model learns from the original training records and one from their release;
    both predict the same held-out records. These are coded as the release is (``coded``, for
    recipes that :func:`microveil.fit` can apply to new records) or left as they are (``original``,
    for recipes that keep the kind of the values, such as noise or swapping). Records of a person
    (``roles.entity``) stay in one fold. ``estimator`` is any of scikit-learn's that takes a frame;
    without one, gradient boosted trees are used. ``scoring`` is a name of scikit-learn's: by
    default accuracy for classes, R² for numbers. The seed deals the folds. Needs
    ``microveil[models]``.
    """
    if folds < LEAST_FOLDS or repeats < 1:
        raise InputError("At least two folds and one repeat are needed.")
    people = _read(recipe, data, target)
    scoring = scoring or ("accuracy" if people.has_classes else "r2")
    score = _scorer(scoring)
    before: list[float] = []
    after: list[float] = []
    removed: list[float] = []
    for number, (train, held_out) in enumerate(_folds(people, folds, repeats, seed)):
        progress(number, folds * repeats, f"fold {number + 1}")
        taught = _protect(recipe, people, train, held_out, test=test)
        plain = people.at(train).select(taught.columns), people.target_at(train)
        with one_thread():
            for into, (x, y), tested in (
                (before, plain, people.at(held_out).select(taught.columns)),
                (after, (taught.x, taught.y), taught.tested),
            ):
                model = _clone(estimator) or usual_learner(x, classes=people.has_classes)
                model.fit(people.back(x), y)
                into.append(score(model, people.back(tested), people.target_at(held_out)))
        removed.append(1 - taught.x.height / len(train))
    progress(1, 1, "done")
    return CrossValidation(
        scoring, tuple(before), tuple(after), float(np.mean(removed)), 1 / (folds - 1)
    )


class _People(NamedTuple):
    """The records with a target, and how to hand them to an estimator."""

    frame: pl.DataFrame
    target: str
    has_classes: bool
    groups: Longs | None
    door: Door

    def at(self, rows: Longs) -> pl.DataFrame:
        return self.frame[rows]

    def target_at(self, rows: Longs) -> Any:
        return self.target_of(self.frame[rows])

    def target_of(self, frame: pl.DataFrame) -> Any:
        column = frame[self.target]
        if self.has_classes and not is_number(column.dtype):
            return column.cast(pl.String).to_numpy().astype(object)
        return column.to_numpy()

    def back(self, frame: pl.DataFrame) -> Any:
        """Pandas for who came with pandas, so that their estimator finds what it expects."""
        came_with_pandas = type(self.door.native).__module__.startswith("pandas")
        return frame.to_pandas() if came_with_pandas else frame


class _Taught(NamedTuple):
    """What a model learns from in one fold, and what it is tested on."""

    x: pl.DataFrame
    y: Any
    tested: pl.DataFrame

    @property
    def columns(self) -> list[str]:
        return self.x.columns


def _read(recipe: Recipe, data: Any, target: str) -> _People:
    door = Door(data)
    check_columns([target], door.frame.columns)
    frame = door.frame.filter(pl.col(target).is_not_null())
    column = frame[target]
    few = column.n_unique() <= FEW_VALUES and not column.dtype.is_float()
    entity = recipe.roles.entity
    groups = None
    if entity is not None:
        check_columns([entity], frame.columns)
        groups = frame[entity].rank("dense").fill_null(0).cast(pl.Int64).to_numpy()
    return _People(frame, target, not is_number(column.dtype) or few, groups, door)


def _folds(people: _People, folds: int, repeats: int, seed: int) -> Iterator[tuple[Longs, Longs]]:
    chosen = learning("model_selection", "cross_validate")
    name = {
        (True, True): "StratifiedGroupKFold",
        (True, False): "StratifiedKFold",
        (False, True): "GroupKFold",
        (False, False): "KFold",
    }[people.has_classes, people.groups is not None]
    labels = people.target_of(people.frame)
    for repeat in range(repeats):
        splitter = getattr(chosen, name)(n_splits=folds, shuffle=True, random_state=seed + repeat)
        try:
            yield from splitter.split(np.zeros(people.frame.height), labels, people.groups)
        except ValueError:
            raise InputError(
                "{folds} folds cannot be made: there are fewer records or people, or fewer of "
                "each class. Use fewer folds.",
                folds=folds,
            ) from None


def _protect(
    recipe: Recipe, people: _People, train: Longs, held_out: Longs, *, test: str
) -> _Taught:
    """The release of the training records, and the held-out ones as they are tested."""
    originals, others = people.at(train), people.at(held_out)
    if test == "coded":
        protector = Protector(recipe, removed="drop", new_data="code")
        released: pl.DataFrame = protector.fit_transform(originals)
        protector.removed = "missing"
        tested: pl.DataFrame = protector.transform(others)
    else:
        released, tested = run(recipe, originals).data, others
    if people.target not in released.columns:
        raise InputError("The recipe does not release the target '{target}'.", target=people.target)
    if released.schema[people.target] != originals.schema[people.target]:
        raise InputError(
            "The recipe recodes the target '{target}': predictions cannot be compared.",
            target=people.target,
        )
    columns = [name for name in released.columns if name != people.target]
    strangers = [name for name in columns if name not in tested.columns]
    if strangers or not columns:
        raise InputError("The release has no columns to predict from.")
    return _Taught(released.select(columns), people.target_of(released), tested.select(columns))


def _scorer(scoring: str) -> Any:
    metrics = learning("metrics", "cross_validate")
    try:
        return metrics.get_scorer(scoring)
    except ValueError:
        raise InputError(
            "Unknown scoring '{scoring}'. Use a name of scikit-learn, such as 'accuracy', "
            "'roc_auc' or 'r2'.",
            scoring=scoring,
        ) from None


def _clone(estimator: Any) -> Any:
    return None if estimator is None else learning("base", "cross_validate").clone(estimator)
