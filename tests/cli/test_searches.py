from __future__ import annotations

import io
from typing import Any

from rich.console import Console

from microveil.cli.searches import MOST_KEYS, print_nodes, search_lines
from microveil.release.release import StepFacts
from microveil.search.lattice.lattice_search import search_lattice
from microveil.tables import Roles
from tests.search.exhaustive import HIERARCHIES, KEYS, ROLES, table

FACTS: dict[str, Any] = {"levels": {"age": 1}, "loss": 0.25, "proved": True, "n_suppressed": 2}


def test_steps_that_did_not_search_say_nothing() -> None:
    assert (
        list(search_lines([StepFacts("drop", {}), StepFacts("generalize", {"levels": {}})])) == []
    )


def test_what_is_not_the_optimum_is_not_called_so() -> None:
    def said(**more: Any) -> str:
        return " ".join(search_lines([StepFacts("incognito", FACTS | more)]))

    assert "no other solution costs less; 2 records removed" in said()
    assert "not proved to be the best" in said(proved=False)
    third = said(node=3)
    assert "chose node 3: age 1" in third
    assert "chosen by its rank" in third
    assert said(interrupted=True).endswith("interrupted")
    given = said(n_nodes=1, n_checked=1)
    assert "its levels were given" in given
    assert "no other solution" not in given


def test_a_page_of_nodes_counts_on_from_its_first() -> None:
    found = search_lattice(table(), ROLES, k=4, hierarchies=HIERARCHIES)
    out = io.StringIO()
    print_nodes(Console(file=out, width=120), "Nodes", found, found.best(3), 5)
    lines = out.getvalue().splitlines()
    assert len(KEYS) <= MOST_KEYS
    assert all(name in " ".join(lines) for name in KEYS)
    assert [line.split()[0] for line in lines if "yes" in line] == ["5", "6", "7"]


def test_levels_of_many_keys_stay_on_one_line_and_can_be_typed_back() -> None:
    many = {f"a_rather_long_name_{i}": [j % 2 for j in range(8)] for i in range(MOST_KEYS + 2)}
    found = search_lattice(many, Roles(quasi_identifiers=list(many)), k=2)
    out = io.StringIO()
    print_nodes(Console(file=out, width=80), "Nodes", found, found.best(1), 1)
    (line,) = [line for line in out.getvalue().splitlines() if "yes" in line]
    assert found.node(line.split()[-1]) == found.best(1)[0]
    assert "Levels in the order of a_rather_long_name_0" in out.getvalue()
