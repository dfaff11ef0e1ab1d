from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from microveil.plots.export import to_png, to_svg
from microveil.plots.lattice import frontier_chart, lattice_chart
from microveil.search import SearchResult, search_lattice
from microveil.tables import Roles

PEOPLE = {"age": [20 + 7 * i % 40 for i in range(40)], "sex": ["fm"[i % 2] for i in range(40)]}
ROLES = Roles(quasi_identifiers=["age", "sex"])


def found(**how: Any) -> SearchResult:
    return search_lattice(PEOPLE, ROLES, k=4, **how)


def data_of(chart: Any, layer: int = 0) -> list[dict[str, Any]]:
    plain = chart.to_dict()
    data = plain.get("data") or plain["layer"][layer]["data"]
    rows: list[dict[str, Any]] = data.get("values") or plain["datasets"][data["name"]]
    return rows


def test_a_small_lattice_is_drawn_node_by_node_with_one_ring() -> None:
    result = found()
    nodes = data_of(lattice_chart(result))
    assert len(nodes) == result.n_nodes
    assert sum(node["best"] for node in nodes) == 1
    assert {node["verdict"] for node in nodes} == {"reaches the goal", "does not"}


def test_a_large_lattice_is_drawn_as_its_frontier(monkeypatch: pytest.MonkeyPatch) -> None:
    from microveil.plots import lattice as module

    monkeypatch.setattr(module, "MOST_NODES", 3)
    result = found(suppression_share=1)
    chart = lattice_chart(result)
    front = data_of(chart, 1)
    losses = [point["loss"] for point in front]
    assert losses == sorted(losses, reverse=True)
    assert min(losses) == (result.optimum.loss if result.optimum else None)


def test_a_search_without_a_solution_is_drawn_too() -> None:
    result = found(max_levels={"age": 0, "sex": 0})
    assert result.optimum is None
    for chart in (lattice_chart(result), frontier_chart(result)):
        assert ET.fromstring(to_svg(chart)).tag.endswith("svg")  # noqa: S314  our own drawing


def test_both_figures_become_pictures(tmp_path: Path) -> None:
    for name, chart in (
        ("lattice", lattice_chart(found())),
        ("frontier", frontier_chart(found(suppression_share=0.2))),
    ):
        root = ET.fromstring(to_svg(chart))  # noqa: S314  our own drawing
        assert not [node for node in root.iter() if "id" in node.attrib]
        assert to_png(chart, tmp_path / f"{name}.png").stat().st_size > 1000
