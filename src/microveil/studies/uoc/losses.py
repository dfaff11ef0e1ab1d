"""Information loss: section 1.3 and exercise 2."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Floats
from microveil.errors import InputError
from microveil.methods import AdditiveNoise
from microveil.studies.cells import Cell, Experiment
from microveil.studies.uoc import tables
from microveil.tables import Table
from microveil.utility import InformationLoss, MeanDivergence

EXERCISE = {
    "X'": {
        "values_mse": "10.38",
        "values_mae": "2.34",
        "values_mre": "0.20",
        "correlations_mse": "0.00062",
        "correlations_mae": "0.01767",
        "correlations_mre": "0.01773",
    },
    "X''": {
        "values_mse": "1202.92",
        "values_mae": "27.04",
        "values_mre": "1.75",
        "correlations_mse": "1.802e-6",
        "correlations_mae": "0.0009493",
        "correlations_mre": "0.0009526",
    },
}
"""Table 26."""


def divergence() -> Experiment:
    """The mean of value and protected value (table 11)."""
    pairs = (("X'", tables.DIVERGING_1, "2563.01"), ("X''", tables.DIVERGING_2, "2722.62"))
    cells = []
    for name, released, printed in pairs:
        parts = MeanDivergence().measure(tables.DIVERGING, released).parts
        cells.append(Cell({"released": name}, "div_avg", float(parts["div_avg"]), printed))
    return Experiment.of("Divergence of means", "Table 11", cells)


def exercise_2() -> Experiment:
    """Errors of values and correlations (tables 25 and 26)."""
    cells = []
    for name, released in (("X'", tables.EXERCISE_1), ("X''", tables.EXERCISE_2)):
        ours, errors = _losses(released), _rounding_errors(released)
        cells += [
            Cell({"released": name, "measure": m}, "loss", ours[m], printed, errors[m])
            for m, printed in EXERCISE[name].items()
        ]
    return Experiment.of(
        "Exercise 2: information loss",
        "Tables 25 and 26",
        cells,
        note="The course worked with more digits than the two decimals of table 25; the error is "
        "what those digits may change.",
    )


def _losses(released: pl.DataFrame) -> dict[str, float]:
    parts = InformationLoss().measure(tables.EXERCISE, released).parts
    return {measure: float(value) for measure, value in parts.items()}


def _rounding_errors(released: pl.DataFrame) -> dict[str, float]:
    """Standard deviation of each loss over values that round to those printed."""
    rng = np.random.default_rng(25)
    drawn = [
        _losses(
            released + pl.DataFrame(rng.uniform(-0.005, 0.005, released.shape), released.columns)
        )
        for _ in range(N_ROUNDINGS)
    ]
    return {m: float(np.std([losses[m] for losses in drawn], ddof=1)) for m in drawn[0]}


TEST_FLOWERS = (
    (0.5, 3.0, "setosa"),
    (0.2, 3.5, "setosa"),
    (2.7, 1.3, "versicolor"),
    (1.8, 3.2, "virginica"),
    (2.9, 1.3, "virginica"),
    (0.5, 2.1, "setosa"),
    (2.1, 2.6, "virginica"),
    (1.7, 3.2, "versicolor"),
)
"""Table 13: petal width, sepal width, and the species M tells."""
DISAGREEMENTS = {0.001: "1", 0.01: "3"}
"""Of the eight, how many M' (p = 0.1 %) and M'' (p = 1 %) tell otherwise than M."""
TOLD = {
    "M": tuple(row[2] for row in TEST_FLOWERS),
    "M'": ("setosa", "setosa", "versicolor", "virginica", "virginica", "setosa", "virginica",
           "virginica"),
    "M''": ("setosa", "setosa", "versicolor", "virginica", "virginica", "versicolor", "versicolor",
            "virginica"),
}  # fmt: skip
"""Table 13: the species that each tree tells."""
N_NOISES = 200
N_ROUNDINGS = 200


def decision_trees() -> Experiment:
    """Decision trees from Iris with and without noise, tested on the same flowers (table 13)."""
    flowers, species = iris()
    tests = np.array([row[:2] for row in TEST_FLOWERS])
    plain = told_by_tree(flowers, species, tests)
    right = sum(told == row[2] for told, row in zip(plain, TEST_FLOWERS, strict=True))
    cells = [Cell({"tree": "M"}, "flowers told as the course's M does, not printed", float(right))]
    for share, printed in DISAGREEMENTS.items():
        found = [
            float((told_by_tree(noisy(flowers, share, seed), species, tests) != plain).sum())
            for seed in range(N_NOISES)
        ]
        # The course shows one draw, whose chance is that of one of ours.
        error = float(np.std(found, ddof=1) * np.sqrt(1 + 1 / N_NOISES))
        where = {"tree": "M'" if share == min(DISAGREEMENTS) else "M''"}
        cells.append(Cell(where, "flowers told otherwise", float(np.mean(found)), printed, error))
    return Experiment.of(
        "Decision trees",
        "Table 13",
        cells,
        note="Recursive partitioning on petal and sepal width, nodes of twenty or more are split. "
        "The course shows its three trees as figure 9; ours tell seven of the eight flowers as its "
        "M does. The third has a sepal narrower than any iris, and a petal that our tree calls "
        "virginica.",
        why=_why_tree,
    )


def flower_by_flower() -> Experiment:
    """Table 13 flower by flower: how often our trees tell the species that the course prints."""
    flowers, species = iris()
    tests = np.array([row[:2] for row in TEST_FLOWERS])
    shares = {"M": _same(TOLD["M"], [told_by_tree(flowers, species, tests)])}
    for tree, share in (("M'", min(DISAGREEMENTS)), ("M''", max(DISAGREEMENTS))):
        trees = [
            told_by_tree(noisy(flowers, share, seed), species, tests) for seed in range(N_NOISES)
        ]
        shares[tree] = _same(TOLD[tree], trees)
    cells = [
        Cell(
            {"petal width": row[0], "sepal width": row[1],
             "the course's M, M', M''": ", ".join(TOLD[tree][place] for tree in TOLD)},
            f"our {tree} says the same, per cent", float(found[place]),
        )
        for place, row in enumerate(TEST_FLOWERS)
        for tree, found in shares.items()
    ]  # fmt: skip
    return Experiment.of(
        "The test flowers of the decision trees",
        "Table 13, flower by flower",
        cells,
        note=f"The course prints the species that each tree tells; ours are {N_NOISES} trees of M' "
        "and of M'', each from a draw of its own.",
    )


def _same(printed: Sequence[str], trees: Sequence[NDArray[np.str_]]) -> Floats:
    """Per flower: per cent of trees that tell the printed species."""
    told = np.array([list(tree) for tree in trees])
    return np.asarray(100 * (told == np.array(printed)).mean(axis=0), dtype=np.float64)


def _why_tree(cell: Cell) -> str:
    del cell
    return (
        "The course's noise is larger than its p says: a variance of 1 % (or 0.1 %) of the "
        "column's hardly moves the splits of a tree."
    )


def iris() -> tuple[Floats, list[str]]:
    """Petal and sepal width of each flower, and its species."""
    try:
        from sklearn.datasets import load_iris
    except ImportError:
        raise InputError(
            "This study needs the `models` extra: pip install 'microveil[models]'."
        ) from None
    data = load_iris()
    species = [str(data.target_names[kind]) for kind in data.target]
    return data.data[:, [3, 1]].astype(np.float64), species


def noisy(flowers: Floats, share: float, seed: int) -> Floats:
    """The flowers with noise of a share of each column's variance."""
    names = ["petal", "sepal"]
    step = AdditiveNoise(columns=names, variance_share=share)
    table = Table(pl.DataFrame(flowers, schema=names))
    return step.apply(table, np.random.default_rng([13, seed])).table.frame.to_numpy()


def told_by_tree(flowers: Floats, species: list[str], tests: Floats) -> NDArray[np.str_]:
    """The species of test flowers by the tree that was learnt from others."""
    told: NDArray[np.str_] = grow_tree(flowers, species).predict(tests)
    return told


def grow_tree(flowers: Floats, species: list[str]) -> Any:
    """A decision tree by recursive partitioning; nodes of twenty or more are split."""
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(
        min_samples_split=20, min_samples_leaf=7, ccp_alpha=0.01, random_state=0
    )
    return tree.fit(flowers, species)
