"""Cell loss: coarse, wrong and missing cells on one scale."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.methods import Generalize, Mondrian, Pram, RankSwap
from microveil.recipes import Recipe
from microveil.tables import Roles, Table
from microveil.utility import CellLoss, GeneralizationLoss

AGES = pl.DataFrame({"age": [20, 30, 40, 50, 60, 70], "sex": ["f", "f", "m", "m", "f", "m"]})


def loss(after: pl.DataFrame, **settings: object) -> dict[str, float]:
    parts = CellLoss.parse({"name": "cell_loss"} | settings).measure(AGES, after).parts
    return dict(parts["columns"])


def test_nothing_is_lost_of_a_table_as_it_is() -> None:
    assert loss(AGES) == {"age": 0, "sex": 0}


def test_true_labels_lose_what_generalisation_loses() -> None:
    after = Mondrian(k=2, columns=["age", "sex"]).protect(AGES)
    expected = GeneralizationLoss().measure(AGES, after).parts["columns"]
    assert loss(after) == pytest.approx(dict(expected))


def test_a_moved_number_loses_its_distance_over_that_of_two_records() -> None:
    after = AGES.with_columns(age=AGES["age"] + 7)
    ages = AGES["age"].to_numpy()
    apart = np.abs(ages[:, None] - ages[None, :]).sum() / (6 * 5)
    assert loss(after)["age"] == pytest.approx(7 / apart)
    assert loss(AGES.with_columns(age=AGES["age"] + 1000))["age"] == 1


def test_a_wrong_category_a_blank_and_a_removed_record_lose_all() -> None:
    wrong = AGES.with_columns(sex=pl.Series(["m", "f", "m", "m", "f", None]))
    assert loss(wrong)["sex"] == pytest.approx(2 / 6)
    assert loss(AGES.drop("age"), columns=["age", "sex"]) == {"age": 1, "sex": 0}
    table = Table(AGES)
    fewer = Table(AGES.head(4), rows=np.arange(4))
    parts = CellLoss().measure(table, fewer).parts["columns"]
    assert parts == pytest.approx({"age": 2 / 6, "sex": 2 / 6})


def test_rows_that_cannot_be_paired_count_as_if_by_chance() -> None:
    found = CellLoss().measure(AGES, AGES, aligned=False).parts["columns"]
    assert found["sex"] == pytest.approx(0.5)
    ages = AGES["age"].to_numpy()
    by_chance = np.abs(ages[:, None] - ages[None, :]).mean(axis=1)
    apart = np.abs(ages[:, None] - ages[None, :]).sum() / (6 * 5)
    assert found["age"] == pytest.approx(np.minimum(by_chance / apart, 1).mean())


def test_weights_decide_about_the_mean_and_more_chance_loses_more() -> None:
    after = AGES.with_columns(sex=pl.Series([None] * 6, dtype=pl.String))
    assert CellLoss(weights={"age": 3}).measure(AGES, after).value == pytest.approx(0.25)
    many = pl.DataFrame({"x": range(400), "c": list("abcd") * 100})
    little = RankSwap(columns=["x"], range_share=0.02).protect(many, seed=1)
    much = RankSwap(columns=["x"], range_share=0.4).protect(many, seed=1)
    assert 0 < CellLoss().measure(many, little).value < CellLoss().measure(many, much).value
    kept = Pram(columns=["c"], retention=0.9).protect(many, seed=1)
    changed = int((kept["c"] != many["c"]).sum())
    assert CellLoss(columns=["c"]).measure(many, kept).value == pytest.approx(changed / 400)


def test_a_missing_cell_that_was_missing_lost_nothing() -> None:
    before = {"x": [None, 1, 2, 3], "c": ["a", None, "b", "b"]}
    assert CellLoss().measure(before, before, roles=Roles()).value == 0


JOBS = pl.DataFrame({"job": ["baker", "clerk", "cook", "doctor", "nurse", "baker"]})
TREE = {"tree": {"food": ["baker", "cook"], "health": ["doctor", "nurse"], "office": ["clerk"]}}


def test_a_label_of_values_that_are_no_neighbours_is_wrong_where_it_covers_another() -> None:
    after = pl.DataFrame({"job": ["food", "office", "food", "health", "food", "health"]})
    measure = CellLoss(hierarchies={"job": TREE})
    right, lost = 1 / 4, 1.0
    expected = (right + 0 + right + right + lost + lost) / 6
    assert measure.measure(JOBS, after).value == pytest.approx(expected)


def test_a_label_whose_record_is_unknown_covers_the_right_value_as_often_as_values_below_it() -> (
    None
):
    after = pl.DataFrame({"job": ["food", "office", "elsewhere"]})
    measure = CellLoss(hierarchies={"job": TREE})
    food, office, unread = 1 - 3 / 6 * (1 - 1 / 4), 1 - 1 / 6, 1.0
    found = measure.measure(JOBS, after, aligned=False).parts["columns"]["job"]
    assert found == pytest.approx((food + office + unread + 3) / 6)


@pytest.mark.parametrize("aligned", [True, False])
@pytest.mark.parametrize("kind", [pl.String, pl.Int64])
def test_the_20_that_stands_for_a_decade_loses_what_the_decade_loses(
    aligned: bool,  # noqa: FBT001  a case
    kind: type[pl.DataType],
) -> None:
    ages = pl.DataFrame({"age": range(20, 40)})
    step = Generalize(column="age", hierarchy={"hierarchy": "types"}, level=1)
    tens = step.protect(ages)["age"].cast(kind)
    texts = tens.cast(pl.String).replace({"20": "[20, 29]", "30": "[30, 39]"})
    recipe = Recipe(roles=Roles(quasi_identifiers=["age"]), steps=[step])
    for measure in (CellLoss(), GeneralizationLoss()):
        written = measure.measure(ages, texts.to_frame(), aligned=aligned)
        coded = measure.measure(ages, tens.to_frame(), aligned=aligned, recipe=recipe)
        assert coded.value == pytest.approx(written.value)
