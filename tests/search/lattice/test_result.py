from __future__ import annotations

import pytest

from microveil.search.lattice.lattice_search import search_lattice
from microveil.tables import Roles
from tests.search.exhaustive import HIERARCHIES, ROLES, frame_of, table


def test_the_reasons_count_the_records_that_force_a_level() -> None:
    frame = frame_of([("1", "1", "1", 0)] * 5 + [("2", "1", "1", 0)] * 2)
    result = search_lattice(frame, ROLES, k=3, hierarchies=HIERARCHIES)
    assert result.optimum is not None
    assert result.optimum.levels == {"a": 1, "b": 0, "c": 0}
    reason = result.explain().row(0, named=True)
    assert reason["n_forcing"] == 2
    assert reason["solution"] is False
    assert reason["share_lost"] == pytest.approx((2 / 5 - 1 / 5) / (1 - 1 / 5))


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
