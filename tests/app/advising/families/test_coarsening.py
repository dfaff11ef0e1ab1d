"""Columns coarsened, then cells or records suppressed."""

from __future__ import annotations

from microveil.app.advising.families import FAMILIES
from microveil.methods import LocalSuppression, SuppressRecords
from tests.app.advising.cases import situation

CELLS, RECORDS = FAMILIES["coarsen_cells"], FAMILIES["coarsen_records"]


def test_it_begins_without_any_recoding_and_goes_on_with_estimates() -> None:
    here = situation()
    starts = list(CELLS.starts(here))
    assert starts[0] == (1, (0, 0), (1.0, 1.0))
    assert all(sum(at[1]) > 0 for at in starts[1:])
    assert CELLS.steps(here, starts[0]) == (LocalSuppression(k=5),)


def test_weights_of_columns_and_of_the_search_say_which_cells_go_first() -> None:
    here = situation(weights={"age": 4})
    (step,) = CELLS.steps(here, (2, (0, 0), (1.0, 0.5)))
    assert isinstance(step, LocalSuppression)
    assert step.k == 10
    assert dict(step.importance) == {"sex": 1.0, "age": 2.0}


def test_an_untouched_key_is_suppressed_last() -> None:
    (step,) = CELLS.steps(situation(untouched=["age"]), (1, (0, 0), (1.0, 1.0)))
    assert isinstance(step, LocalSuppression)
    assert step.importance["age"] == 1e6


def test_records_are_removed_for_all_models_unless_all_must_stay() -> None:
    rich = {"model": "l_diversity", "l": 2, "column": "disease"}
    here = situation(require=[{"model": "k_anonymity", "k": 5}, rich])
    last = RECORDS.steps(here, (1, (0, 1), (1.0, 1.0)))[-1]
    assert isinstance(last, SuppressRecords)
    assert [one.to_dict() for one in last.models] == [rich]
    assert not RECORDS.may_be_used(situation(keep_records=True))


def test_what_is_stronger_has_a_larger_k_or_coarser_columns() -> None:
    near = list(CELLS.stronger(situation(), (1, (0, 0), (1.0, 1.0))))
    assert (2, (0, 0), (1.0, 1.0)) in near
    assert (1, (0, 1), (1.0, 1.0)) in near
