"""Random schemas that cross everything linked tables may have, and a verifier in plain Python.

Households above people, a table that shares its key with theirs, children, grandchildren, a list
that rows refer to, keys of two columns, foreign keys that may be missing, steps that blank and
remove, and a copy of a key in some other table, from which an intruder fills in what was blanked.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

Frames = Mapping[str, pl.DataFrame]
ENOUGH = 20
"""People whose city stands elsewhere, from which it is no luck that it does."""
CITIES = ("north", "south", "west")
COPIES = (None, "extra", "visits", "labs", "homes", "goods")


@dataclass
class Case:
    """A schema, its recipe, and what the verifier needs to know of it."""

    frames: dict[str, pl.DataFrame]
    recipe: dict[str, Any]
    two: bool
    """Whether people have a key of two columns."""
    copy: str | None
    """The table that shows people's city once more."""
    known: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What is known of people, by scenario."""


def random_case(seed: int) -> Case:
    """Fifty people, more or less, and up to six tables around them."""
    rng = random.Random(seed)
    n, two, copy = rng.randint(30, 70), rng.random() < 0.3, rng.choice(COPIES)
    frames = _frames(rng, n, copy)
    chosen = {"people", *rng.sample(sorted(frames), rng.randint(1, len(frames)))}
    chosen |= {copy} if copy else set()
    chosen |= {"visits"} if chosen & {"labs", "goods"} else set()
    frames = {name: frame for name, frame in frames.items() if name in chosen}
    links = [link for link in _links(two=two) if set(link[::2]) <= chosen]
    written = [f"{a}.{b} -> {c}.{d}" for a, b, c, d in ((x[0], x[1], x[2], x[3]) for x in links)]
    case = Case(frames, {}, two, copy)
    known = _known(rng, chosen)
    case.known = {"": tuple(known)}
    people: dict[str, Any] = {
        "table": "people",
        "key": "site+id" if two else "id",
        "quasi_identifiers": known,
        "derived": _derived(known),
        "missing": rng.choice(["category", "wildcard"]),
        "require": [{"model": "k_anonymity", "k": rng.randint(2, 5)}],
        "suppress": rng.random() < 0.7,
    }
    if rng.random() < 0.4:
        case.known["other"] = tuple(rng.sample(known, rng.randint(1, len(known))))
        people["scenarios"] = {"other": list(case.known["other"])}
    case.recipe = {
        "tables": {name: _table(rng, name, frame) for name, frame in frames.items()},
        "links": written,
        "people": people,
        "keys": rng.choice(["renumber", "keep"]),
    }
    return case


def _frames(rng: random.Random, n: int, copy: str | None) -> dict[str, pl.DataFrame]:
    ids = rng.sample(range(1000, 9999), n)
    n_homes = max(n // 3, 1)
    city_of_home = [rng.choice(CITIES) for _ in range(n_homes)]
    home = [rng.randrange(n_homes) for _ in range(n)]
    by_home = copy == "homes"
    city = [city_of_home[one] if by_home else rng.choice(CITIES) for one in home]
    nobody = {i for i in range(n) if not by_home and rng.random() < 0.1}
    people = pl.DataFrame(
        {
            "site": [one % 2 for one in ids],
            "id": ids,
            "home": [None if i in nobody else 7 * one for i, one in enumerate(home)],
            "sex": [rng.choice("fm") for _ in ids],
            "city": city,
            "mark": [f"mark {i}" for i in range(n)],
        },
        schema_overrides={"home": pl.Int64},
    )
    whose = [rng.randrange(n) for _ in range(2 * n)]
    goods_of = {name: [i for i in range(6) if i % 3 == place] for place, name in enumerate(CITIES)}
    visits = pl.DataFrame(
        {
            "visit": rng.sample(range(10**5), 2 * n),
            "site": [ids[i] % 2 for i in whose],
            "person": [ids[i] for i in whose],
            "ward": [rng.choice("ab") for _ in whose],
            "good": [rng.choice(goods_of[city[i]] if copy == "goods" else range(6)) for i in whose],
            "place": [city[i] for i in whose],
            "mark": [f"mark {i}" for i in whose],
        }
    )
    of = [rng.randrange(2 * n) for _ in range(2 * n)]
    frames = {
        "people": people,
        "homes": pl.DataFrame(
            {
                "home": [7 * i for i in range(n_homes)],
                "rooms": [rng.choice([2, 3]) for _ in city_of_home],
            }
            | {"place": city_of_home}
        ),
        "extra": people.select("site", "id", pl.col("city").alias("place"), "mark").sample(
            n, shuffle=True, seed=n
        ),
        "visits": visits,
        "labs": pl.DataFrame(
            {
                "visit": [visits["visit"][i] if rng.random() < 0.9 else None for i in of],
                "person": [visits["person"][i] for i in of],
                "site": [visits["site"][i] for i in of],
                "place": [visits["place"][i] for i in of],
                "mark": [visits["mark"][i] for i in of],
            }
        ),
        "goods": pl.DataFrame({"good": range(6), "place": [CITIES[i % 3] for i in range(6)]}),
    }
    shown = {copy} if copy else set()
    return {
        name: frame if name in shown or "place" not in frame.columns else frame.drop("place")
        for name, frame in frames.items()
    }


def _links(*, two: bool) -> list[tuple[str, str, str, str]]:
    own = "site+id" if two else "id"
    ref = "site+person" if two else "person"
    return [
        ("people", "home", "homes", "home"),
        ("extra", own, "people", own),
        ("visits", ref, "people", own),
        ("labs", "visit", "visits", "visit"),
        ("labs", ref, "people", own),
        ("visits", "good", "goods", "good"),
    ]


def _known(rng: random.Random, chosen: set[str]) -> list[str]:
    able = ["sex", "city", *(["homes.rooms"] if "homes" in chosen else [])]
    able += ["n_visits", "visits.ward", "first_ward"] if "visits" in chosen else []
    return sorted({"city", *rng.sample(able, rng.randint(1, min(len(able), 3)))})


def _derived(known: list[str]) -> dict[str, Any]:
    all_of = {
        "n_visits": {"table": "visits", "take": "count"},
        "first_ward": {"table": "visits", "take": "min", "column": "ward"},
    }
    return {name: one for name, one in all_of.items() if name in known}


def _table(rng: random.Random, name: str, frame: pl.DataFrame) -> dict[str, Any]:
    keys = {"people": ["sex", "city"], "visits": ["ward"]}.get(name, [])
    free = [one for one in frame.columns if one not in keys]
    roles = {"quasi_identifiers": keys, "insensitive": free}
    missing = rng.choice(["category", "wildcard"])
    steps: list[dict[str, Any]] = []
    if keys:
        steps = rng.choice(
            [
                [],
                [{"method": "local_suppression", "k": rng.randint(2, 9), "columns": keys}],
                [{"method": "group_rare", "columns": keys[-1:], "min_count": rng.randint(2, 30)}],
                [{"method": "suppress_records", "k": 4}],
                [{"method": "sample", "share": 0.8}],
            ]
        )
    return {"roles": roles, "steps": steps, "missing": missing}


def verify(case: Case, after: Frames) -> None:
    """Check links, whose rows are, and k people with all filled in that another table shows."""
    _verify_links(case, after)
    told = _people(case, after)
    k = case.recipe["people"]["require"][0]["k"]
    wild = case.recipe["people"]["missing"] == "wildcard"
    for known in case.known.values():
        rows = [tuple(one[name] for name in known) for one in told]
        for row in rows:
            alike = sum(_match(row, other) if wild else row == other for other in rows)
            assert alike >= k, (known, alike, k)


def _match(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))


def _verify_links(case: Case, after: Frames) -> None:
    """Every row still leads to whom it led to, which the marks say."""
    key = ("site", "id") if case.two else ("id",)
    ref = ("site", "person") if case.two else ("person",)
    marks = {row[:-1]: row[-1] for row in after["people"].select(*key, "mark").iter_rows()}
    assert len(marks) == after["people"].height
    for name, columns in (("extra", key), ("visits", ref), ("labs", ref)):
        if name in after:
            for *found, mark in after[name].select(*columns, "mark").iter_rows():
                assert marks[tuple(found)] == mark
    if "labs" in after:
        visits = dict(after["visits"].select("visit", "mark").iter_rows())
        for visit, mark in after["labs"].select("visit", "mark").iter_rows():
            assert visit is None or visits[visit] == mark
    for table, column in (("people", "homes"), ("visits", "goods")):
        if table in after and column in after:
            one = column[:-1]
            there = set(after[column][one])
            assert all(cell is None or cell in there for cell in after[table][one])
    homes = set(after["people"]["home"].drop_nulls())
    assert "homes" not in after or set(after["homes"]["home"]) == homes


def _people(case: Case, after: Frames) -> list[dict[str, Any]]:
    """What is known of each person, with the city from wherever it stands."""
    truth = dict(case.frames["people"].select("mark", "city").iter_rows())
    found = []
    for row in after["people"].iter_rows(named=True):
        own = {name: _own(after, name, row["mark"]) for name in ("visits", "labs", "extra")}
        wards = sorted("–" if one["ward"] is None else one["ward"] for one in own["visits"])
        plain = [one["ward"] for one in own["visits"] if one["ward"] is not None]
        row["n_visits"] = len(wards)
        row["visits.ward"] = " | ".join(wards) if wards else None
        row["first_ward"] = min(plain, default=None)
        row["homes.rooms"] = _home(after, row, "rooms")
        row["places"] = _places(case.copy, after, row, own)
        assert row["places"] <= {truth[row["mark"]]}
        found.append(row)
    if sum(len(row["places"]) for row in found) >= ENOUGH:
        for row in found:
            row["city"] = next(iter(row["places"]), row["city"])
    return found


def _places(
    copy: str | None, after: Frames, row: dict[str, Any], own: dict[str, list[dict[str, Any]]]
) -> set[Any]:
    if copy == "homes":
        return {_home(after, row, "place")} - {None}
    if copy == "goods":
        place = dict(after["goods"].select("good", "place").iter_rows())
        return {place[one["good"]] for one in own["visits"]}
    return {one["place"] for one in own.get(copy or "", [])}


def _own(after: Frames, name: str, mark: str) -> list[dict[str, Any]]:
    return after[name].filter(pl.col("mark") == mark).to_dicts() if name in after else []


def _home(after: Frames, row: dict[str, Any], column: str) -> Any:
    if "homes" not in after or row["home"] is None:
        return None
    return after["homes"].filter(pl.col("home") == row["home"])[column].item()
