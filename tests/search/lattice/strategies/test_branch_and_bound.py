from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

import microveil as mv
from microveil.search.lattice.lattice_search import search_lattice
from tests.search.exhaustive import (
    HIERARCHIES,
    ROLES,
    finds_the_optimum,
    problems,
    table,
)


@settings(max_examples=15)
@given(problems)
def test_the_optimum_is_the_least_loss_of_all_generalisations(
    problem: tuple[list[Any], int, float, str, float],
) -> None:
    finds_the_optimum(problem, "branch_and_bound")


def test_threads_find_and_look_at_the_same_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    from microveil.search.lattice.strategies import branch_and_bound as module

    how: dict[str, Any] = {"k": 4, "hierarchies": HIERARCHIES, "suppression_share": 0.1}
    alone = search_lattice(table(), ROLES, strategy="branch_and_bound", **how)
    monkeypatch.setattr(module, "WORTH_THREADS", 0)
    with mv.settings.using(threads=4):
        together = search_lattice(table(), ROLES, strategy="branch_and_bound", **how)
    assert together.frame().equals(alone.frame())


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
