from __future__ import annotations

import numpy as np
import pytest

import microveil as mv
from microveil.measures.subject import Subject
from microveil.measures.taking import take
from microveil.tables import Table
from tests.measures.cases import TABLE


def test_numbers_that_only_the_design_has_are_none_for_an_intruder() -> None:
    roles = mv.Roles(quasi_identifiers=["town"], weight="x")
    weighted = TABLE.with_roles(roles)
    taken = take([mv.IntervalDisclosure(), mv.IL1s()], Subject(weighted, weighted))
    assert list(taken.scores) == ["il1s"]
    assert "no column of numbers" in taken.skipped["interval_disclosure"]


def test_labels_that_say_no_number_are_no_numbers() -> None:
    words = Table({"x": ["small", "small", "large"], "town": ["a", "b", "c"]})
    ranges = Table({"x": ["[1, 2]", "[1, 2]", "3"], "town": ["a", "b", "c"]})
    assert "il1s" in take([mv.IL1s()], Subject(TABLE, words)).skipped
    assert "il1s" in take([mv.IL1s()], Subject(TABLE, ranges)).scores


def test_rows_in_another_order_are_paired_by_no_measure() -> None:
    apart = Subject(TABLE, TABLE, aligned=False)
    taken = take([mv.RecordLinkage(), mv.IL1s(), mv.Discernibility()], apart)
    assert list(taken.scores) == ["discernibility"]
    assert set(taken.skipped.values()) == {"needs rows in the same order"}


def test_attacks_learn_labels_from_rows_only_where_rows_belong_together() -> None:
    before = Table(
        {"job": ["nurse", "doctor", "cook", "baker"] * 20, "ill": ["a", "b", "c", "d"] * 20},
        mv.Roles(quasi_identifiers=["job"], sensitive=["ill"]),
    )
    groups = {"nurse": "health", "doctor": "health", "cook": "food", "baker": "food"}
    after = before.with_columns([before.frame["job"].replace(groups)])
    inference = [mv.Inference()]
    linked = take(inference, Subject(before, after)).scores["inference"]
    apart = take(inference, Subject(before, after, aligned=False)).scores["inference"]
    assert linked.parts["attack"]["rate"] == pytest.approx(0.5)
    assert apart.parts["attack"]["rate"] == pytest.approx(0.25)


def test_a_recipe_s_hierarchies_and_missing_keys_are_those_of_its_measures() -> None:
    tree = {"tree": {"north": ["a", "b"], "south": ["c", "d"]}}
    step = mv.Generalize(column="town", hierarchy=tree, level=1)
    recipe = mv.Recipe(roles=TABLE.roles, steps=[step], missing="wildcard")
    released = mv.run(recipe, TABLE.frame).table.take(np.array([2, 1, 0]))
    # As a file would be read: no row link, another order.
    bare = Subject(TABLE, Table(released.frame, TABLE.roles), aligned=False)
    known = Subject(*(bare.original, bare.released), aligned=False, recipe=recipe)
    loss = [mv.GeneralizationLoss()]
    assert "cannot be read" in take(loss, bare).skipped["generalization_loss"]
    assert take(loss, known).scores["generalization_loss"].value == pytest.approx(1 / 3)
    own = mv.GeneralizationLoss(hierarchies={"town": {"tree": {"north": ["a", "b"], "south": "c"}}})
    assert take([own], known).scores["generalization_loss"].value == pytest.approx(1 / 3)
