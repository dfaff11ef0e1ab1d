"""A service of the tests' own: two data sets, analysts of two groups, an owner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import polars as pl

from microveil.service import keys
from microveil.service.fingerprints import fingerprint
from microveil.service.home import Home
from microveil.service.owner_file import OwnerFile
from microveil.service.registry import Registry

N_ROWS = 400
OWNER: dict[str, Any] = {
    "name": "survey",
    "size": N_ROWS,
    "columns": {
        "age": {"type": "integer", "bounds": [0, 110]},
        "region": {"type": "text", "keys": ["north", "south"]},
        "sex": {"type": "text", "keys": ["f", "m"]},
        "income": {"type": "real", "bounds": [0, 1000]},
    },
    "service": {
        "budget": {"epsilon": 10},
        "analyst_budget": {"epsilon": 6},
        "complete": ["region", "sex"],
    },
}


def survey() -> pl.DataFrame:
    number = pl.int_range(N_ROWS, eager=True)
    return pl.DataFrame(
        {
            "age": 18 + number % 70,
            "region": ["north" if n % 4 else "south" for n in number],
            "sex": ["f" if n % 2 else "m" for n in number],
            "income": (number * 37 % 1000).cast(pl.Float64),
        }
    )


@dataclass(frozen=True)
class Place:
    """A home with its keys by the name of whoever holds them."""

    home: Home
    keys: Mapping[str, str]

    def headers(self, who: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.keys[who]}"}


def make_place(folder: Path, url: str, **terms: Any) -> Place:
    """Register the data sets and make the keys."""
    home = Home(folder / "home", url)
    path = folder / "survey.parquet"
    survey().write_parquet(path)
    raw = {**OWNER, "service": {**OWNER["service"], **terms}}
    past = keys.now() - timedelta(days=1)
    secret = home.secret(create=True)
    with home.open(create=True) as ledger:
        registry = Registry(ledger)
        for name in ("survey", "census"):
            owner = OwnerFile.of({**raw, "name": name})
            registry.add(path, owner, fingerprint(path), replace=False)
        made = {
            "ann": registry.create_key(secret, "ann", "analyst", ["survey"], group="health"),
            "bob": registry.create_key(secret, "bob", "analyst", ["survey"], group="health"),
            "cleo": registry.create_key(secret, "cleo", "analyst", ["survey", "census"]),
            "dan": registry.create_key(secret, "dan", "analyst", ["census"]),
            "late": registry.create_key(secret, "ann", "analyst", ["survey"], expires=past),
            "gone": registry.create_key(secret, "ann", "analyst", ["survey"]),
            "owner": registry.create_key(secret, "olga", "owner", ["survey"]),
        }
        registry.revoke(made["gone"][1].id)
    return Place(home, {who: given for who, (given, _) in made.items()})
