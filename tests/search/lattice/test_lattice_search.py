from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest

from microveil.errors import ColumnError, HierarchyError, InputError, RolesError, SpecError
from microveil.privacy import KAnonymity, KMap, LDiversity, TCloseness
from microveil.search.lattice.lattice_search import LatticeSearch, search_lattice
from microveil.tables import Roles
from tests.search.exhaustive import HIERARCHIES, KEYS, ROLES, frame_of


def table(n: int = 60) -> pl.DataFrame:
    return frame_of([(str(i % 5 + 1), str(i % 4 + 1), str(i % 2 + 1), i % 3) for i in range(n)])


def test_equal_losses_are_decided_by_the_sum_of_levels_then_by_the_levels() -> None:
    result = search_lattice(table(), ROLES, k=16, hierarchies=HIERARCHIES, generalization_share=1)
    ties = [node for node in result.best(1000) if node.loss == 0]
    assert result.optimum == min(
        ties, key=lambda node: (sum(node.levels.values()), tuple(node.levels.values()))
    )


def test_threads_find_and_look_at_the_same_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    from microveil.search.lattice.strategies import branch_and_bound as module

    how: dict[str, Any] = {"k": 4, "hierarchies": HIERARCHIES, "suppression_share": 0.1}
    alone = search_lattice(table(), ROLES, strategy="branch_and_bound", **how)
    monkeypatch.setattr(module, "WORTH_THREADS", 0)
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    together = search_lattice(table(), ROLES, strategy="branch_and_bound", **how)
    assert together.frame().equals(alone.frame())


def test_a_limit_ends_the_search_and_the_result_says_so() -> None:
    result = search_lattice(
        table(), ROLES, k=4, hierarchies=HIERARCHIES, strategy="best_first", max_checks=3
    )
    assert result.limited
    assert not result.proved
    assert result.n_checked < result.n_nodes


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


def test_what_an_unfinished_branch_has_found_counts_when_interrupted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from microveil.search.lattice.strategies import branch_and_bound as module

    looked = module._Task._look
    found: list[Any] = []

    def tired(self: module._Task, *args: Any) -> Any:
        if len(found) == 5:
            raise KeyboardInterrupt
        found.append(args[-1])
        return looked(self, *args)

    monkeypatch.setattr(module._Task, "_look", tired)
    result = search_lattice(
        table(), ROLES, k=4, hierarchies=HIERARCHIES, loss="discernibility", suppression_share=1
    )
    assert result.interrupted
    status = {tuple(node.levels.values()): node.status for node in result.nodes()}
    assert {status[node] for node in found} == {"checked"}


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


def test_the_reasons_count_the_records_that_force_a_level() -> None:
    frame = frame_of([("1", "1", "1", 0)] * 5 + [("2", "1", "1", 0)] * 2)
    result = search_lattice(frame, ROLES, k=3, hierarchies=HIERARCHIES)
    assert result.optimum is not None
    assert result.optimum.levels == {"a": 1, "b": 0, "c": 0}
    reason = result.explain().row(0, named=True)
    assert reason["n_forcing"] == 2
    assert reason["solution"] is False
    assert reason["share_lost"] == pytest.approx((2 / 5 - 1 / 5) / (1 - 1 / 5))


def test_levels_can_be_settled_or_bounded_by_number_or_name() -> None:
    how: dict[str, Any] = {"k": 2, "hierarchies": HIERARCHIES, "loss": "height"}
    settled = search_lattice(table(), ROLES, levels={"b": 2}, **how)
    assert settled.n_nodes == 9
    assert settled.optimum is not None
    assert settled.optimum.levels["b"] == 2
    bounded = search_lattice(table(), ROLES, min_levels={"a": 1}, max_levels={"b": 1}, **how)
    assert bounded.n_nodes == 2 * 2 * 3
    with pytest.raises(InputError, match="range of levels"):
        search_lattice(table(), ROLES, min_levels={"a": 2}, max_levels={"a": 1}, **how)
    with pytest.raises(HierarchyError, match="No level"):
        search_lattice(table(), ROLES, max_levels={"a": 9}, **how)


def test_weights_of_keys_move_the_optimum() -> None:
    frame = frame_of([(str(i % 2 + 1), str(i % 2 + 1), "1", 0) for i in range(4)] * 1)
    frame = pl.concat([frame, frame_of([("1", "2", "1", 0), ("2", "1", "1", 0)])])
    how: dict[str, Any] = {"k": 3, "hierarchies": HIERARCHIES, "aggregate": "arithmetic_mean"}
    spare_a = search_lattice(frame, ROLES, weights={"a": 10, "b": 1}, **how).optimum
    spare_b = search_lattice(frame, ROLES, weights={"a": 1, "b": 10}, **how).optimum
    assert spare_a is not None
    assert spare_b is not None
    assert spare_a.levels["a"] == 0
    assert spare_b.levels["b"] == 0


def test_rank_compares_the_worst_key_first() -> None:
    how: dict[str, Any] = {"k": 16, "hierarchies": HIERARCHIES, "loss": "precision"}
    ranked = search_lattice(table(), ROLES, aggregate="rank", **how).optimum
    largest = search_lattice(table(), ROLES, aggregate="max", **how).optimum
    assert ranked is not None
    assert largest is not None
    assert ranked.loss == largest.loss


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


def test_keys_with_too_many_labels_for_one_word_are_searched_all_the_same() -> None:
    n = 4000
    frame = pl.DataFrame({f"k{i}": [(7 * j + i) % n for j in range(n)] for i in range(7)})
    roles = Roles(quasi_identifiers=frame.columns)
    result = search_lattice(frame, roles, k=2, strategy="best_first", max_checks=60)
    assert result.optimum is not None
    levels = tuple(result.optimum.levels.values())
    ids = Counter(
        zip(
            *(
                ["*" if level > 4 else value - value % 10**level for value in frame[name]]
                for name, level in zip(frame.columns, levels, strict=True)
            ),
            strict=True,
        )
    )
    assert min(ids.values()) >= 2


def test_what_a_hierarchy_publishes_as_a_star_is_one_label_with_what_it_does_not_list() -> None:
    frame = pl.DataFrame({"zip": ["17", "17", "080"], "x": ["u", "u", "u"]})
    known = {"zip": {"hierarchy": "tree", "tree": {"*": ["17"], "other": ["99"]}}}
    best = search_lattice(
        frame, Roles(quasi_identifiers=["zip"]), k=3, hierarchies=known, unlisted="star"
    ).optimum
    assert best is not None
    assert best.levels == {"zip": 1}


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


def test_a_result_is_plain_data_without_a_cell() -> None:
    import json

    result = search_lattice(table(), ROLES, k=4, hierarchies=HIERARCHIES)
    plain = json.loads(json.dumps(result.to_dict()))
    assert plain["best"][0]["levels"] == result.optimum.levels if result.optimum else False
    assert plain["n_checked"] + plain["n_implied"] == plain["n_nodes"]


def test_a_key_named_like_a_column_of_the_frame_keeps_its_levels_apart() -> None:
    frame = table().rename({"a": "loss"})
    result = search_lattice(frame, Roles(quasi_identifiers=["loss", "b"]), k=4)
    assert "loss_level" in result.frame().columns


def test_the_parameters_survive_as_plain_data() -> None:
    search = LatticeSearch(k=3, hierarchies=HIERARCHIES, max_levels={"a": 1}, loss="precision")
    assert LatticeSearch.parse(search.to_dict()) == search
