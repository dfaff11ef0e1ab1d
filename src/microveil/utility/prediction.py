"""Prediction: whether a model trained on the release predicts like one trained on the original."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field

from microveil.arrays import Floats, Longs
from microveil.cores import one_thread
from microveil.errors import InputError
from microveil.labels.decoding import DRAW, decode
from microveil.measures.base import UtilityMeasure
from microveil.pairs.alignment import align
from microveil.pairs.coverings import read_coverings
from microveil.pairs.reading import Reading
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.kinds import is_number
from microveil.tables.roles import Columns, check_columns
from microveil.tables.row_sorting import content_order
from microveil.tables.values import as_text, positions_among
from microveil.texts import Message
from microveil.utility.parts.model_features import (
    MOST_LEVELS,
    MOST_RECORDS,
    features,
    learning,
    sample_rows,
    usable_columns,
)
from microveil.utility.parts.prediction_quality import (
    Quality,
    accuracy,
    class_qualities,
    fall,
    r_squared,
    separation,
)

LEAST_RECORDS = 10
RARER = "\U0010ffff"
"""Stands for all classes beyond the most frequent: a sign that no text has."""
FEW_VALUES = 10
"""Whole numbers with at most this many distinct values are classes."""


class Prediction(UtilityMeasure):
    """How much worse a model trained on the release predicts than one trained on the original.

    Both models are tested on the same held-out original records. For classes the score is the fall
    of the area under the curve (each class against the others, weighted by its share), or of the
    accuracy; for numbers, the fall of R². A release that predicts as well or better scores 0. The
    interval is that of the fall, from the held-out records. ``parts`` has the qualities of both
    models with their signed changes, those of the best guess without a model, and how far the two
    models disagree: the share of records with different predictions or, for numbers, the root mean
    square difference in standard deviations of the target (Navarro-Arribas 2020). Labels are
    decoded first: each becomes one of the values it covers, drawn evenly. Held-out records are
    never learnt from while rows are paired. At most 20,000 records are used, and classes beyond the
    20 most frequent are one. Needs ``microveil[models]`` (scikit-learn).

    >>> people = {"age": list(range(40)), "ill": ["no"] * 20 + ["yes"] * 20}
    >>> Prediction(target="ill").measure(people, people).parts["agreement"]
    1.0
    """

    question: ClassVar[str] = "Do analyses still give the same answers?"
    title: ClassVar[str] = "Predictions"
    headline: ClassVar[bool] = True
    name: Literal["prediction"] = "prediction"
    quick: ClassVar[bool] = False
    target: str | None = None
    """Column to predict; by default the first sensitive column."""
    columns: Columns = ()
    """Predictors; by default all other common columns."""
    model: Literal["logistic", "tree", "boosting", "forest"] = "logistic"
    """Logistic regression (linear, for numbers), which is stable: the same data but for a little
    noise give nearly the same model; decision tree, gradient boosting, or random forest."""
    quality: Literal["auc", "accuracy"] = "auc"
    """Of classes: what must not fall, the area under the curve or the share of correct guesses.
    With a rare class, accuracy hardly falls whatever is lost."""
    task: Literal["auto", "classification", "regression"] = "auto"
    """By default, numbers with more than ten distinct values are regressed."""
    held_out_share: float = Field(default=0.3, gt=0, lt=1)
    """Share of the original's records on which both models are tested."""

    def score(self, original: Table, released: Table) -> Score:
        """Train on both tables, and compare the predictions."""
        return self.score_reading(Reading(original, released))

    def score_unpaired(self, original: Table, released: Table) -> Score:
        """The same if held-out records may be among the released ones."""
        return self.score_reading(Reading(original, released, aligned=False))

    def score_reading(self, reading: Reading) -> Score:
        """Train on both tables; labels stand for what steps made of values."""
        original, released = reading.original, reading.released
        target = self._target(original, released)
        columns = usable_columns(original, released, self.columns, self.kind())
        columns = tuple(name for name in columns if name != target)
        tables = self._split(reading, columns, target)
        if tables is None:
            if original.frame.equals(released.frame):
                return Score(measure=self.kind(), value=0.0, parts={"n_held_out": 0})
            raise InputError(
                Message(
                    "utility.prediction_needs_records_target",
                    "'prediction' needs {n} records with a target in both tables.",
                    n=LEAST_RECORDS,
                )
            )
        if not columns:
            raise InputError(
                Message(
                    "utility.prediction_needs_column_besides",
                    "'prediction' needs a column besides the target in both tables.",
                )
            )
        learning("tree", "'prediction'")
        # The models are small: threads would spend more time waiting for each other than working.
        with one_thread():
            return self._classify(tables) if self._classifies(tables) else self._regress(tables)

    def _target(self, original: Table, released: Table) -> str:
        there = [name for name in original.roles.sensitive if name in set(released.columns)]
        target = self.target or next(iter(there), None)
        if target is None:
            raise InputError(
                Message(
                    "utility.prediction_needs_target_name",
                    "'prediction' needs a target: name it, or a sensitive column.",
                )
            )
        for table in (original, released):
            check_columns([target], table.columns)
        return target

    def _split(self, reading: Reading, columns: tuple[str, ...], target: str) -> _Tables | None:
        """Training and held-out records; None if there are too few."""
        original, released, paired = reading.original, reading.released, reading.aligned
        names = (*columns, target)
        beside = align(original, released) if paired else None
        after = decode(original, released, names, beside, read_coverings(reading, names))
        before = original.frame.select(names)
        link = reading.link if paired else None
        order = content_order(*_beside_its_release(before, after, link))
        chosen = order[sample_rows(before.height, MOST_RECORDS)]
        held = np.empty(before.height, dtype=np.bool_)
        draws = np.random.default_rng(DRAW).random(before.height)
        held[order] = draws < self.held_out_share
        if link is not None:
            wanted = np.zeros(before.height, dtype=np.bool_)
            wanted[chosen] = True
            after = after.filter(pl.Series((wanted & ~held)[link]))
            after = after[content_order(after)]
        else:
            after = after[content_order(after)[sample_rows(after.height, MOST_RECORDS)]]
        ours = before[chosen[~held[chosen]]]
        test = before[chosen[held[chosen]]]
        ours, after, test = (
            part.filter(pl.col(target).is_not_null()) for part in (ours, after, test)
        )
        if min(ours.height, after.height) < LEAST_RECORDS or not test.height:
            return None
        return _Tables(ours, after, test, target)

    def _classifies(self, tables: _Tables) -> bool:
        target = tables.before[tables.target]
        if self.task == "auto":
            whole = not is_number(target.dtype) or target.dtype.is_integer()
            return not is_number(target.dtype) or (whole and target.n_unique() <= FEW_VALUES)
        if self.task == "regression" and not is_number(target.dtype):
            raise InputError("'prediction': the target of a regression must hold numbers.")
        return self.task == "classification"

    def _matrices(self, tables: _Tables) -> tuple[Floats, Floats, Floats]:
        columns = [name for name in tables.before.columns if name != tables.target]
        n_learn = tables.before.height
        both = pl.concat([tables.before.select(columns), tables.test.select(columns)])
        found = features(both, tables.after.select(columns))
        if not found.names:
            empty = [np.zeros((height, 1)) for height in (n_learn, tables.after.height)]
            return empty[0], empty[1], np.zeros((tables.test.height, 1))
        return found.before[:n_learn], found.after, found.before[n_learn:]

    def _classify(self, tables: _Tables) -> Score:
        x, x_after, x_test = self._matrices(tables)
        y, y_after, y_test = _merge_rare(
            as_text(one[tables.target]).cast(pl.String) for one in tables[:3]
        )
        guesses, areas = [], []
        for known, answers in ((x, y), (x_after, y_after)):
            model = self._fit(known, answers, classify=True)
            chances = model.predict_proba(x_test)
            guesses.append(model.classes_[chances.argmax(axis=1)])
            areas.append(separation(y_test, model.classes_, chances))
        right = [accuracy(y_test, guess) for guess in guesses]
        value, interval = fall(*(areas if self.quality == "auc" else right))
        kinds, counts = np.unique(y, return_counts=True)
        agreement = float((guesses[0] == guesses[1]).mean())
        parts = {
            "agreement": agreement,
            "disagreement": 1 - agreement,
            **_sides("auc", *areas),
            **_sides("accuracy", *right),
            "accuracy_without_model": float((y_test == kinds[counts.argmax()]).mean()),
            **class_qualities(y_test, guesses[0], "before"),
            **class_qualities(y_test, guesses[1], "after"),
            "n_held_out": len(y_test),
        }
        scale = "area under the curve" if self.quality == "auc" else "accuracy"
        return Score(self.kind(), value, scale=scale, interval=interval, parts=parts)

    def _regress(self, tables: _Tables) -> Score:
        x, x_after, x_test = self._matrices(tables)
        y, y_after, y_test = (
            one[tables.target].to_physical().cast(pl.Float64).to_numpy() for one in tables[:3]
        )
        ours = self._fit(x, y, classify=False).predict(x_test)
        theirs = self._fit(x_after, y_after, classify=False).predict(x_test)
        spread = float(y_test.std())
        moved = float(np.sqrt(((ours - theirs) ** 2).mean()))
        good = [r_squared(y_test, guess) for guess in (ours, theirs)]
        value, interval = fall(*good)
        parts = {
            "disagreement": moved / spread if spread > 0 else float(moved > 0),
            **_sides("r_squared", *good),
            "n_held_out": len(y_test),
        }
        return Score(self.kind(), value, scale="R²", interval=interval, parts=parts)

    def _fit(self, x: Floats, y: NDArray[Any], *, classify: bool) -> Any:
        dummy, ensemble, linear, tree = (
            learning(module, "'prediction'")
            for module in ("dummy", "ensemble", "linear_model", "tree")
        )
        if len(np.unique(y)) == 1:
            return (dummy.DummyClassifier() if classify else dummy.DummyRegressor()).fit(x, y)
        leaf = {"min_samples_leaf": max(1, min(7, len(y) // 10)), "random_state": 0}
        kind = "Classifier" if classify else "Regressor"
        match self.model:
            case "tree":
                model = getattr(tree, f"DecisionTree{kind}")(**leaf)
            case "boosting":
                model = getattr(ensemble, f"HistGradientBoosting{kind}")(random_state=0)
            case "forest":
                model = getattr(ensemble, f"RandomForest{kind}")(**leaf)
            case "logistic" if classify:
                model = linear.LogisticRegression(max_iter=1000)
            case "logistic":
                model = linear.LinearRegression()
        return model.fit(x, y)


def _beside_its_release(
    before: pl.DataFrame, after: pl.DataFrame, link: Longs | None
) -> list[pl.DataFrame]:
    """The original and, where rows are linked, what became of each row: by both it is sorted."""
    if link is None:
        return [before]
    place = np.full(before.height, -1, dtype=np.int64)
    place[link] = np.arange(after.height)
    known = pl.Series(place).replace(-1, None)
    return [before, after.select(pl.all().gather(known)), pl.DataFrame({"released": place >= 0})]


class _Tables(NamedTuple):
    before: pl.DataFrame
    after: pl.DataFrame
    test: pl.DataFrame
    target: str


def _sides(name: str, before: Quality, after: Quality) -> dict[str, float]:
    return {
        f"{name}_before": before.value,
        f"{name}_after": after.value,
        f"{name}_change": after.value - before.value,
    }


def _merge_rare(targets: Iterable[pl.Series]) -> list[NDArray[np.int64]]:
    """Targets of training, release and test; all but the original's most frequent are one.

    As numbers that ascend with the texts: models sort them quicker.
    """
    ours, *others = targets
    counted = ours.value_counts(name="n").sort("n", ours.name, descending=[True, False])
    every = [ours, *others]
    if counted.height > MOST_LEVELS:
        kept = counted.get_column(ours.name).head(MOST_LEVELS).implode()
        every = [
            pl.select(pl.when(one.is_in(kept)).then(one).otherwise(pl.lit(RARER))).to_series()
            for one in every
        ]
    kinds = pl.concat([one.alias("kind") for one in every]).unique().sort()
    return [positions_among(one, kinds).astype(np.int64) for one in every]
