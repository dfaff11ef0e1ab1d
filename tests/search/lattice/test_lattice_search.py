from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from microveil.errors import ColumnError, InputError, RolesError, SpecError
from microveil.privacy import KAnonymity, KMap, LDiversity, TCloseness
from microveil.search.lattice.lattice_search import LatticeSearch, search_lattice
from microveil.tables import Roles
from tests.search.exhaustive import HIERARCHIES, KEYS, ROLES, frame_of, table


def test_equal_losses_are_decided_by_the_sum_of_levels_then_by_the_levels() -> None:
    result = search_lattice(table(), ROLES, k=16, hierarchies=HIERARCHIES, generalization_share=1)
    ties = [node for node in result.best(1000) if node.loss == 0]
    assert result.optimum == min(
        ties, key=lambda node: (sum(node.levels.values()), tuple(node.levels.values()))
    )


def test_an_interrupted_search_returns_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    from microveil.search.lattice.examiner import Examiner

    looked = Examiner.examine_from
    calls = []

    def tired(self: Examiner, *args: Any) -> Any:
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return looked(self, *args)

    monkeypatch.setattr(Examiner, "examine_from", tired)
    result = search_lattice(table(), ROLES, k=4, hierarchies=HIERARCHIES, suppression_share=1)
    assert result.interrupted
    assert not result.proved
    assert result.optimum is not None


def test_progress_tells_the_nodes_looked_at() -> None:
    news: list[tuple[float, float, str]] = []
    search_lattice(
        table(),
        ROLES,
        k=4,
        hierarchies=HIERARCHIES,
        progress=lambda done, total, what: news.append((done, total, what)),
    )
    assert news[-1] == (36, 36, "nodes")


def test_baseline_original_compares_with_the_removed_records_too() -> None:
    frame = frame_of([("1", "1", "1", 0)] * 3 + [("1", "1", "1", 1)] * 3 + [("3", "4", "2", 1)])
    how: dict[str, Any] = {
        "models": [KAnonymity(k=2), TCloseness(t=0.01)],
        "hierarchies": HIERARCHIES,
        "suppression_share": 0.2,
    }
    released = search_lattice(frame, ROLES, **how).optimum
    assert released is not None
    assert released.loss == pytest.approx(1 / 7, abs=1e-3)
    original = search_lattice(frame, ROLES, baseline="original", **how).optimum
    assert original is not None
    assert original.loss is not None
    assert released.loss is not None
    assert original.loss > released.loss


def test_an_entity_makes_classes_count_people() -> None:
    frame = frame_of([("1", "1", "1", 0)] * 4 + [("2", "1", "1", 0)] * 4).with_columns(
        who=pl.Series([1, 1, 1, 1, 2, 3, 4, 5])
    )
    roles = Roles(quasi_identifiers=KEYS, sensitive=["s"], entity="who")
    best = search_lattice(frame, roles, k=2, hierarchies=HIERARCHIES).optimum
    assert best is not None
    assert best.levels == {"a": 1, "b": 0, "c": 0}


@pytest.mark.parametrize(
    ("how", "error", "words"),
    [
        ({}, InputError, "no goal"),
        ({"k": 61}, InputError, "60 records"),
        ({"k": 2, "hierarchies": {"z": {"tree": {"a": ["1"]}}}}, ColumnError, "'z'"),
        ({"k": 2, "weights": {"a": 0, "b": 0, "c": 0}}, InputError, "weights are 0"),
        (
            {"k": 2, "loss": "discernibility", "aggregate": "max"},
            InputError,
            "leave out `aggregate`",
        ),
        ({"k": 2, "columns": ["nope"]}, ColumnError, "No column 'nope'"),
        ({"k": 1}, SpecError, "greater than or equal to 2"),
        ({"models": [KMap(k=2, population="p.csv")]}, InputError, "No file p.csv"),
        ({"models": [LDiversity(l=2, column="nope")]}, ColumnError, "No column 'nope'"),
        (
            {"models": [TCloseness(t=0.2)], "suppression_share": 0.1, "strategy": "flash"},
            InputError,
            "unlike 't_closeness' with suppression. Use `strategy: auto`",
        ),
    ],
)
def test_what_cannot_be_searched_is_one_clear_sentence(
    how: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        search_lattice(table(), ROLES, **how)


def test_a_search_without_keys_is_refused() -> None:
    with pytest.raises(RolesError, match="needs keys"):
        search_lattice(table(), Roles(), k=2)


def test_an_empty_table_has_the_lowest_node_as_its_optimum() -> None:
    result = search_lattice(table().clear(), ROLES, k=2, hierarchies=HIERARCHIES)
    assert result.optimum is not None
    assert set(result.optimum.levels.values()) == {0}


def test_a_large_lattice_is_searched_best_first_and_says_what_it_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from microveil.search.lattice import lattice_search as module

    monkeypatch.setattr(module, "MOST_NODES", 10)
    result = search_lattice(table(), ROLES, k=4, hierarchies=HIERARCHIES)
    assert result.strategy == "best_first"
    with pytest.raises(InputError, match="36 nodes, too many"):
        search_lattice(table(), ROLES, k=4, hierarchies=HIERARCHIES, strategy="flash")


def test_the_parameters_survive_as_plain_data() -> None:
    search = LatticeSearch(k=3, hierarchies=HIERARCHIES, max_levels={"a": 1}, loss="precision")
    assert LatticeSearch.parse(search.to_dict()) == search
