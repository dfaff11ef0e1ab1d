"""Random schemas of linked tables, and a verifier that shares no code with the package."""

from __future__ import annotations

import random
from collections import Counter
from datetime import date, timedelta
from typing import Any

import polars as pl

FIRST = date(2015, 1, 1)


def random_schema(seed: int) -> tuple[dict[str, pl.DataFrame], dict[str, Any]]:
    """One to five tables below, beside or above people, and a recipe for them."""
    rng = random.Random(seed)
    n_people = rng.randint(1, 40)
    people = pl.DataFrame(
        {
            "id": rng.sample(range(1000, 9999), n_people),
            "sex": [rng.choice("fm") for _ in range(n_people)],
            "born": [FIRST + timedelta(days=rng.randint(0, 2000)) for _ in range(n_people)],
            "mark": [f"secret-{seed}-{i}" for i in range(n_people)],
        }
    )
    frames, links, owned = {"people": people}, list[str](), ["people"]
    keys = {"people": "id"}
    for i in range(rng.randint(0, 4)):
        name, parent = f"t{i}", rng.choice(owned)
        height = rng.randint(0, 60) if frames[parent].height else 0
        known = frames[parent][keys[parent]].to_list()
        frames[name] = pl.DataFrame(
            {
                f"key{i}": rng.sample(range(10**5), height),
                "up": [rng.choice(known) for _ in range(height)],
                "day": [FIRST + timedelta(days=rng.randint(0, 2000)) for _ in range(height)],
                "kind": [rng.choice("ab") for _ in range(height)],
                "tag": [f"tag-{seed}-{i}-{row}" for row in range(height)],
            },
            schema={
                f"key{i}": pl.Int64,
                "up": pl.Int64,
                "day": pl.Date,
                "kind": pl.String,
                "tag": pl.String,
            },
        )
        links.append(f"{name}.up -> {parent}.{keys[parent]}")
        keys[name] = f"key{i}"
        owned.append(name)
    tables: dict[str, Any] = {
        name: {
            "roles": {"insensitive": ["kind", "tag", keys[name]]},
            "steps": [{"method": "shift_dates", "columns": ["day"]}],
        }
        for name in owned[1:]
    }
    tables["people"] = {
        "roles": {"quasi_identifiers": ["sex"], "insensitive": ["mark"]},
        "steps": [{"method": "shift_dates", "columns": ["born"]}],
    }
    derived = {f"n_{name}": {"table": name, "take": "count"} for name in owned[1:]}
    who: dict[str, Any] = {"table": "people", "key": "id", "derived": derived, "suppress": True}
    who["quasi_identifiers"] = ["sex", *derived]
    who["require"] = [{"model": "k_anonymity", "k": rng.randint(2, 4)}]
    return frames, {"tables": tables, "links": links, "people": who}


def verify(
    before: dict[str, pl.DataFrame], recipe: dict[str, Any], after: dict[str, pl.DataFrame]
) -> None:
    """Check orphans, k people over all tables, exact intervals, and what removal took along."""
    ups = {text.split(".")[0]: text.split("-> ")[1].split(".") for text in recipe["links"]}
    for name, (parent, key) in ups.items():
        assert set(after[name]["up"]) <= set(after[parent][key])

    def owner(tables: dict[str, pl.DataFrame], name: str) -> list[Any]:
        if name == "people":
            return tables["people"]["mark"].to_list()
        parent, key = ups[name]
        above = dict(zip(tables[parent][key].to_list(), owner(tables, parent), strict=True))
        return [above[up] for up in tables[name]["up"].to_list()]

    counts = {name: Counter(owner(after, name)) for name in ups}
    seen = Counter(
        (sex, *(counts[name][mark] for name in sorted(ups)))
        for sex, mark in after["people"].select("sex", "mark").iter_rows()
    )
    assert min(seen.values(), default=99) >= recipe["people"]["require"][0]["k"]
    kept = set(after["people"]["mark"])
    shifts: dict[str, set[int]] = {}
    old_born = dict(before["people"].select("mark", "born").iter_rows())
    for mark, born in after["people"].select("mark", "born").iter_rows():
        shifts.setdefault(mark, set()).add((born - old_born[mark]).days)
    for name in ups:
        old = dict(before[name].select("tag", "day").iter_rows())
        whose = dict(zip(before[name]["tag"], owner(before, name), strict=True))
        for tag, day, mark in zip(
            after[name]["tag"], after[name]["day"], owner(after, name), strict=True
        ):
            assert whose[tag] == mark
            shifts[mark].add((day - old[tag]).days)
        assert set(after[name]["tag"]) == {tag for tag, mark in whose.items() if mark in kept}
    assert all(len(some) == 1 for some in shifts.values())
