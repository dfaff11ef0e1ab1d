"""A release is a rival by the classes it has, and by the cells that stay true."""

from __future__ import annotations

import numpy as np

from microveil.methods import Pram, Sample
from microveil.studies.advise.rivals import rival_of
from microveil.studies.frontier.study import people_of_adult


def test_wrong_values_and_missing_records_count_as_neither_classes_nor_true_cells() -> None:
    people, _ = people_of_adult(200)
    pram = Pram(columns=people.roles.quasi_identifiers, retention=0.5)
    rng = np.random.default_rng(1)
    wrong = rival_of(people, pram.apply(people, rng).table, ("pram", ""), (pram,))
    half = Sample(share=0.5)
    fewer = rival_of(people, half.apply(people, rng).table, ("sample", ""), (half,))
    assert (wrong.k, fewer.changed) == (0, 1.0)
    assert 0 < wrong.changed < 1
    assert fewer.k >= 1
