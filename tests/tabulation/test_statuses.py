from __future__ import annotations

from typing import Any

import pytest

import microveil as mv
from tests.tabulation.instances import people

COUNTS = {("a", "f"): 5, ("a", "m"): 1, ("b", "f"): 7, ("b", "m"): 9, ("c", "f"): 4, ("c", "m"): 4}
TABLE = mv.Tabulation(by=["town", "sex"])


def _statuses(*given: dict[str, Any]) -> dict[tuple[str, str], str]:
    made = mv.tabulate(people(COUNTS, ["town", "sex"]), TABLE, statuses=given)
    (frame,) = made.frames.values()
    return {row[:2]: row[3] for row in frame.iter_rows() if row[3] != "safe"}


def test_a_cell_that_must_be_published_is_no_partner() -> None:
    free = _statuses()
    partner = next(
        cell for cell, status in free.items() if status == "secondary" and cell[0] != "a"
    )
    fixed = {"cell": {"town": partner[0], "sex": partner[1]}, "status": "published"}
    assert partner not in _statuses(fixed)


def test_a_safe_cell_is_not_unsafe_and_an_unsafe_one_is() -> None:
    assert _statuses({"cell": {"town": "a", "sex": "m"}, "status": "safe"}) == {}
    found = _statuses({"cell": {"town": "b", "sex": "f"}, "status": "unsafe", "level": 20})
    assert found["b", "f"] == "unsafe"


def test_what_is_suppressed_needs_no_partner() -> None:
    found = _statuses(
        {"cell": {"town": "a", "sex": "m"}, "status": "safe"},
        {"cell": {"town": "b", "sex": "f"}, "status": "suppressed"},
    )
    assert found == {("b", "f"): "secondary"}


def test_a_dear_cell_is_spared() -> None:
    partner = next(cell for cell, status in _statuses().items() if status == "secondary")
    dear = (
        [{"cell": {"town": "c", "sex": sex}, "cost": 1e6} for sex in ("f", "m")]
        if partner[0] == "c"
        else [{"cell": {"town": "b", "sex": sex}, "cost": 1e6} for sex in "fm"]
    )
    town = dear[0]["cell"]["town"]  # type: ignore[index]
    assert (town, "f") not in _statuses(*dear)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([{"cell": {"town": "a", "sex": "m"}, "status": "published"}], "a × m must be published"),
        (
            [
                {"cell": {"town": "b"}, "status": "safe"},
                {"cell": {"town": "b"}, "status": "unsafe"},
            ],
            "b × Total has two statuses",
        ),
        ([{"cell": {"town": "q"}, "status": "safe"}], "no code 'q'"),
        ([{"cell": {"age": "q"}, "status": "safe"}], "No table has the cell"),
    ],
)
def test_contradictions_name_the_cell(given: list[dict[str, Any]], sentence: str) -> None:
    with pytest.raises(mv.InputError, match=sentence):
        _statuses(*given)
