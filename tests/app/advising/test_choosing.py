"""Three tastes: the least loss, the least risk that is still of use, the truest values."""

from __future__ import annotations

from typing import Any

from microveil.app.advising.candidates import Candidate
from microveil.app.advising.choosing import Offer, by_taste, offers
from microveil.recipes import Recipe


def made(name: str, loss: float, risk: float, **more: Any) -> Candidate:
    given: dict[str, Any] = {"holds": True, "changed": loss} | more
    return Candidate(name, "", Recipe(), risk=risk, loss=loss, **given)


USEFUL = made("useful", 0.1, 0.2, true=False, changed=0.05)
SAFE = made("safe", 0.3, 0.01, changed=0.6)
EMPTY = made("empty", 0.9, 0.0, changed=1.0)
TRUE = made("true", 0.25, 0.1, changed=0.3)
BROKEN = made("broken", 0.0, 1.0, holds=False)
ALL = [EMPTY, SAFE, BROKEN, TRUE, USEFUL]


def test_each_taste_has_its_best() -> None:
    assert by_taste("useful", ALL)[0] is USEFUL
    assert by_taste("safest", ALL)[0] is SAFE  # an empty table would be safer, and of no use
    assert by_taste("truest", ALL)[0] is TRUE
    assert by_taste("useful", [BROKEN]) == []


def test_whole_records_are_truer_than_more_cells() -> None:
    removed = made("removed", 0.2, 0.1, changed=0.1, whole=False)
    assert by_taste("truest", [removed, TRUE])[0] is TRUE


def test_what_is_not_confirmed_makes_room_for_the_next() -> None:
    asked: list[str] = []

    def confirm(one: Candidate) -> Offer | None:
        asked.append(one.kind)
        return None if one is USEFUL else Offer("useful", one, None, one)

    found = {one.taste: one.candidate.kind for one in offers(ALL, confirm)}
    assert found == {"useful": "true", "safest": "safe", "truest": "true"}
    assert asked == ["useful", "true", "safe"]


def test_once_time_is_over_tastes_get_what_was_confirmed_already() -> None:
    asked: list[str] = []

    def confirm(one: Candidate) -> Offer | None:
        asked.append(one.kind)
        return Offer("useful", one, None, one)

    found = offers(ALL, confirm, lambda: True)
    assert asked == ["useful"]
    assert {one.taste: one.candidate.kind for one in found} == {
        "useful": "useful",
        "safest": "useful",
    }
