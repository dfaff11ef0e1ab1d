"""Methods that search for classes aim at all that is required."""

from __future__ import annotations

import pytest

from microveil.app.advising.families import FAMILIES
from microveil.methods import LocalRecoding, Mondrian, OptimalGeneralization
from tests.app.advising.cases import situation

RICH = {"model": "l_diversity", "l": 2, "column": "disease"}
BOTH = [{"model": "k_anonymity", "k": 5}, RICH]


@pytest.mark.parametrize("name", ["local_recoding", "lattice", "mondrian"])
def test_k_and_models_are_aimed_at(name: str) -> None:
    here = situation(require=BOTH)
    family = FAMILIES[name]
    (step,) = family.steps(here, next(iter(family.starts(here))))
    assert isinstance(step, LocalRecoding | OptimalGeneralization | Mondrian)
    assert step.k == 5
    assert [one.to_dict() for one in step.models] == [RICH]


def test_where_all_records_must_stay_none_may_be_removed() -> None:
    family, here = FAMILIES["lattice"], situation(keep_records=True)
    assert list(family.starts(here)) == [(1, 0.0)]
    assert list(family.around(here, (1, 0.0))) == []


def test_a_lattice_search_ends_after_a_number_of_nodes_not_of_seconds() -> None:
    (step,) = FAMILIES["lattice"].steps(situation(), (1, 0.0))
    assert isinstance(step, OptimalGeneralization)
    assert step.max_checks is not None
    assert step.max_seconds is None


def test_weights_reach_the_search() -> None:
    (step,) = FAMILIES["local_recoding"].steps(situation(weights={"age": 3}), (1, 0.0))
    assert isinstance(step, LocalRecoding)
    assert dict(step.weights) == {"sex": 1.0, "age": 3.0}


def test_it_is_not_tried_where_a_key_must_stay_untouched() -> None:
    assert not FAMILIES["mondrian"].suits(situation(untouched=["age"]))
