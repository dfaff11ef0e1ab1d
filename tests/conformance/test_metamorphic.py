"""What must not change a measure, and what must not lower an attack, for every kind of label.

Quick: every kind of label once, with settings and layouts in turn. Slow: the whole product.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.measures.base import Measure
from tests.conformance import recoded
from tests.conformance.recoded import GLOBAL, LAYOUTS, LOCAL, SETTINGS, Made

BY_TEXT = {
    "precision": "levels are those of a hierarchy, not of the labels",
    "safe_harbor": "reads what is written, not what it stands for",
}
"""Measures that depend on how labels are written, and why."""
BY_CLASSES = {
    "class_sizes",
    "individual_risk",
    "population_risk",
    "reidentification_risk",
    "special_uniques",
    "key_separation",
    "attribute_disclosure",
    "discernibility",
    "average_class_size",
    "entropy_loss",
    "table_counts",
    "prediction",
    "clustering",
}
"""Measures that count classes, or fit models: not repeated for every part of a date."""
ATTACKS: dict[str, Measure] = {
    "record_linkage": mv.RecordLinkage(),
    "identity_disclosure": mv.IdentityDisclosure(),
    "intersection_attack": mv.IntersectionAttack(),
    "noise_filtering": mv.NoiseFiltering(),
    "replicated_uniques": mv.ReplicatedUniques(),
    "linkability": mv.Linkability(),
    "inference": mv.Inference(),
    "membership": mv.Membership(),
    "singling_out": mv.SinglingOut(n_columns=2),
}
NO_ATTACKS = {
    "class_sizes": "counts the classes of the keys, which are named",
    "individual_risk": "counts the classes of the keys, which are named",
    "population_risk": "counts the classes of the keys, which are named",
    "reidentification_risk": "counts the classes of the keys, which are named",
    "attribute_disclosure": "counts the classes of the keys, which are named",
    "key_separation": "counts the classes of the keys, which are named",
    "special_uniques": "takes all sets of keys already",
    "trajectory_risk": "takes the places that fewest share, of the columns named",
    "safe_harbor": "reads every cell by itself",
    "outside_linkage": "knows what a list of people has, and nothing more",
    "interval_disclosure": "asks for all columns together; `joint: false` takes the worst",
    "value_disclosure": "takes the column that is explained best",
    "nearest_neighbour_ratio": "tells what a generator copied, over the columns named",
}
"""Risk measures in which no intruder may ignore a column, and why."""
SAMPLED = {"singling_out": 0.01}
"""How much the draw of queries moves a score."""


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Measure]:
    return recoded.measures(tmp_path_factory.mktemp("list"), quick=True)


@pytest.fixture(scope="module")
def at_length(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Measure]:
    return recoded.measures(tmp_path_factory.mktemp("list"), quick=False)


def in_turn() -> list[Any]:
    """Every kind with one of the settings and layouts, each in its turn; a third is quick."""
    return [
        pytest.param(
            kind,
            SETTINGS[place % len(SETTINGS)],
            LAYOUTS[place % len(LAYOUTS)],
            id=kind,
            marks=pytest.mark.slow if place % 3 else (),
        )
        for place, kind in enumerate((*GLOBAL, *LOCAL))
    ]


def whole_product() -> list[Any]:
    return [
        pytest.param(kind, setting, layout, id=f"{kind}-{'-'.join(setting)}-{layout}")
        for kind, setting, layout in product((*GLOBAL, *LOCAL), SETTINGS, LAYOUTS)
    ]


def check(made: Made, kind: str, every: dict[str, Measure]) -> None:
    """Other labels, another order of rows, and rows that repeat change nothing."""
    told = recoded.reordered(made)
    if made.original.roles.entity is not None:
        told = recoded.tripled(told)
    without: set[str] = set()
    if kind in GLOBAL and kind not in ("coded", "rounded", "star"):
        as_tree = not made.aligned or list(GLOBAL).index(kind) % 2 == 0
        told = recoded.rewritten(told, kind, as_tree=as_tree)
        without = set(BY_TEXT)
    some = {name: one for name, one in every.items() if name not in without}
    before, after = made.scores(some), told.scores(some)
    assert sum(isinstance(one, float) for one in before.values()) > 10
    changed = {
        name: (value, after.get(name))
        for name, value in before.items()
        if after.get(name) != (value if isinstance(value, str) else pytest.approx(value, abs=1e-9))
    }
    assert not changed


@pytest.mark.parametrize(("kind", "setting", "layout"), in_turn())
def test_form_order_and_repetition_change_nothing(
    kind: str, setting: dict[str, Any], layout: str, every: dict[str, Measure]
) -> None:
    if kind in recoded.DATES[1:]:
        every = {name: one for name, one in every.items() if name not in BY_CLASSES}
    check(recoded.release(kind, setting, layout), kind, every)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "setting", "layout"), whole_product())
def test_form_order_and_repetition_change_nothing_whatever_the_setting(
    kind: str, setting: dict[str, Any], layout: str, at_length: dict[str, Measure]
) -> None:
    check(recoded.release(kind, setting, layout), kind, at_length)


@pytest.mark.parametrize("kind", [one for one in GLOBAL if one not in ("coded", "rounded")])
def test_a_global_recoding_is_linked_as_often_as_there_are_classes(kind: str) -> None:
    entity = list(GLOBAL).index(kind) % 2 == 0
    made = recoded.release(kind, {"entity": "person"} if entity else {})
    column = GLOBAL[kind][0].touches(made.original)[0]
    measure = mv.RecordLinkage(columns=[column])
    found = measure.measure(made.original, made.released, recipe=made.recipe)
    classes = made.released.frame[column].n_unique()
    expected = max(1, classes)
    assert found.parts["expected_links"] == pytest.approx(expected)


@pytest.mark.parametrize("kind", ["interval", "local_recoding", "noise"])
@pytest.mark.parametrize("what", ["constant", "random"])
def test_a_column_that_says_nothing_lowers_no_attack(kind: str, what: str) -> None:
    made = recoded.release(kind, {})
    n = made.original.height
    cells = np.zeros(n) if what == "constant" else np.random.default_rng(1).normal(size=n)
    wider = recoded.beside(made, pl.Series("more", cells))
    if what == "random":  # of the release another draw, so that it leads to nobody
        drawn = np.random.default_rng(2).normal(size=made.released.height)
        shown = wider.released.with_columns([pl.Series("more", drawn)])
        wider = Made(wider.original, shown, wider.recipe)
    before, after = made.scores(ATTACKS), wider.scores(ATTACKS)
    for name, value in before.items():
        if isinstance(value, float):
            slack = SAMPLED.get(name, 1e-9)
            assert after[name] >= value - slack, name  # type: ignore[operator]  # it applies as well


def test_every_measure_is_there(every: dict[str, Measure]) -> None:
    assert set(every) == {*mv.RISK_MEASURES.classes, *mv.UTILITY_MEASURES.classes}
    assert {*ATTACKS, *NO_ATTACKS} == set(mv.RISK_MEASURES.classes)
    assert not {*ATTACKS} & {*NO_ATTACKS}


@pytest.mark.parametrize("kind", ["interval", "noise"])
def test_weights_change_only_the_measures_that_say_so(kind: str, every: dict[str, Measure]) -> None:
    # By default these compare all numbers, and a weight is one.
    numbers = {"columns": ("age", "pay")}
    every = {
        name: one.model_copy(update=numbers if one.computes else {}) for name, one in every.items()
    }
    made = recoded.release(kind, {"weight": "w"})
    other = pl.Series("w", np.random.default_rng(4).choice([1.0, 9.0], made.original.height))
    shown = other.gather(pl.Series(made.link))
    told = Made(
        made.original.with_columns([other]), made.released.with_columns([shown]), made.recipe
    )
    before, after = made.scores(every), told.scores(every)
    changed = {name for name, value in before.items() if after[name] != value}
    say = {name for name, one in every.items() if one.weighs}
    assert changed <= say
    # The others estimate a population, which noise leaves no evidence of, or compare with labels.
    assert {"confidence_overlap", "distribution_distance"} <= changed | {"table_counts"}


def test_a_weight_counts_as_that_many_records() -> None:
    made = recoded.release("noise", {"weight": "w"})
    often = made.original.frame["w"].cast(pl.Int64)
    rows = np.repeat(np.arange(made.original.height), often.to_numpy())
    roles = made.original.roles.model_copy(update={"weight": None})
    tables = [made.original.frame, made.released.frame[np.argsort(made.link)]]
    before, after = (mv.Table(one[rows].drop("w"), roles) for one in tables)
    measures: list[Any] = [
        mv.TableCounts(columns=["age"]),
        mv.DistributionDistance(columns=["age"]),
    ]
    for measure in measures:
        weighed = measure.measure(made.original, made.released).value
        assert weighed > 0
        assert measure.measure(before, after).value == pytest.approx(weighed)
