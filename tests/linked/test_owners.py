from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.errors import InputError
from microveil.linked.links import Link
from microveil.linked.owners import Relations, parent_rows

FRAMES = {
    "homes": pl.DataFrame({"id": [1, 2]}),
    "people": pl.DataFrame({"id": [10, 11, 12], "home": [1, 1, 2]}),
    "visits": pl.DataFrame({"id": [5, 6, 7], "person": [12, 10, 12]}),
    "labs": pl.DataFrame({"visit": [7, 6, 5], "code": ["x", "y", "x"]}),
    "codes": pl.DataFrame({"code": ["x", "y", "z"]}),
}
LINKS = [
    Link.parse(text)
    for text in (
        "people.home -> homes.id",
        "visits.person -> people.id",
        "labs.visit -> visits.id",
        "labs.code -> codes.code",
    )
]


def test_rows_lead_to_people_over_several_links() -> None:
    found = Relations.of(FRAMES, LINKS, "people").whose
    assert {name: rows.tolist() for name, rows in found.items()} == {
        "people": [0, 1, 2],
        "visits": [2, 0, 2],
        "labs": [2, 0, 2],
    }
    assert parent_rows(FRAMES, LINKS[1]).tolist() == [2, 0, 2]


def test_what_is_theirs_goes_with_people_and_an_empty_home_too() -> None:
    kept = {name: np.ones(frame.height, dtype=np.bool_) for name, frame in FRAMES.items()}
    kept["people"][2] = False
    stay = Relations.of(FRAMES, LINKS, "people").spread_removal(kept)
    assert {name: flags.tolist() for name, flags in stay.items()} == {
        "homes": [True, False],
        "people": [True, True, False],
        "visits": [False, True, False],
        "labs": [False, True, False],
        "codes": [True, True, True],
    }


def test_rows_of_nobody_or_of_two_people_are_refused() -> None:
    lost = FRAMES | {
        "visits": pl.DataFrame({"id": [5], "person": [None]}, schema_overrides={"person": pl.Int64})
    }
    with pytest.raises(InputError, match="1 row of table 'visits' leads to no person"):
        Relations.of({name: lost[name] for name in ("people", "visits")}, [LINKS[1]], "people")
    two = FRAMES | {"labs": pl.DataFrame({"visit": [7], "person": [10]})}
    with pytest.raises(InputError, match="leads to two people"):
        Relations.of(two, [*LINKS[:3], Link.parse("labs.person -> people.id")], "people")


def test_rows_above_and_beside_people_tell_of_them() -> None:
    cars = {"cars": pl.DataFrame({"home": [2, 1, 2], "make": ["u", "v", "w"]})}
    relations = Relations.of(FRAMES | cars, [*LINKS, Link.parse("cars.home -> homes.id")], "people")

    def told(name: str) -> list[list[int]]:
        pairs = relations.pairs(name)
        return [] if pairs is None else np.column_stack(pairs).tolist()

    assert told("homes") == [[0, 0], [1, 0], [2, 1]]
    assert told("codes") == [[0, 1], [2, 0]]
    assert told("cars") == [[0, 1], [1, 1], [2, 0], [2, 2]]
    alone = Relations.of(FRAMES, LINKS[:3], "people")
    assert alone.pairs("codes") is None


def test_what_one_link_does_not_use_another_may() -> None:
    """A place where nobody lives stays if somebody works there, or a visit was made there."""
    frames = {
        "places": pl.DataFrame({"id": [1, 2, 3, 4]}),
        "people": pl.DataFrame({"id": [10, 11], "home": [1, 1], "work": [2, 1]}),
        "visits": pl.DataFrame({"person": [10, 11], "place": [3, 1]}),
    }
    links = [
        Link.parse(text)
        for text in (
            "people.home -> places.id",
            "people.work -> places.id",
            "visits.person -> people.id",
            "visits.place -> places.id",
        )
    ]
    kept = {name: np.ones(frame.height, dtype=np.bool_) for name, frame in frames.items()}
    relations = Relations.of(frames, links, "people")
    assert relations.spread_removal(kept)["places"].tolist() == [True, True, True, False]
    kept["people"][0] = False
    gone = relations.spread_removal(kept)
    assert gone["places"].tolist() == [True, False, False, False]
    assert gone["visits"].tolist() == [False, True]
