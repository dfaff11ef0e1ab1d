from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.pairs.reading import Reading
from microveil.risk.attacks.people import Scene
from microveil.risk.attacks.questions import Asker
from microveil.risk.singling_out import SinglingOut
from microveil.tables import Table
from tests.risk.attack_data import noisy, parts


def test_every_question_singles_a_released_record_out_and_none_is_asked_twice() -> None:
    original, _ = parts(1, 1500, 10)
    released = noisy(original, 0.2, 1)
    asker = Asker(Scene.of(Reading(Table(original), Table(released)), released.columns))
    questions, n_tried = asker.combinations(200, 3, 50_000, np.random.default_rng(0))
    assert len(questions.columns) == 200
    assert n_tried > 200
    asked = set()
    for columns, low, high in zip(questions.columns, questions.low, questions.high, strict=True):
        matching = np.ones(released.height, dtype=bool)
        for c, a, b in zip(columns, low, high, strict=True):
            matching &= (asker.released[c] >= a) & (asker.released[c] <= b)
        assert matching.sum() == 1
        asked.add((*columns, *low, *high))
    assert len(asked) == 200


def test_twins_are_not_singled_out() -> None:
    twice = pl.DataFrame({"a": [1, 2, 3] * 2, "b": ["x", "y", "z"] * 2})
    score = SinglingOut().measure(twice, twice)
    assert score.value == 0
    assert score.parts["n_attacks"] == 0
    once = twice.head(3)
    assert SinglingOut(mode="univariate").measure(twice, once).parts["attack"]["rate"] == 0


def test_a_label_is_asked_for_as_the_values_it_stands_for() -> None:
    original = pl.DataFrame({"age": [21, 25, 33, 47]})
    released = pl.DataFrame({"age": ["[20, 30)", "[20, 30)", "[30, 40)", "[40, 50)"]})
    score = SinglingOut(mode="univariate").measure(original, released)
    assert score.parts["n_attacks"] == 2
    assert score.parts["attack"]["rate"] == 1
    jobs = pl.DataFrame({"job": ["cook", "nurse", "doctor", "nurse"]})
    sets = pl.DataFrame({"job": ["{cook, nurse}", "doctor", "*", "x*"]})
    score = SinglingOut(mode="univariate").measure(jobs, sets)
    assert score.parts["attack"]["rate"] == pytest.approx(1 / 4)
