from __future__ import annotations

import json

import microveil as mv
from microveil.registry.entries import Output


def test_an_entry_survives_json_and_fields_of_a_later_version() -> None:
    entry = mv.ReleaseEntry(
        "1", "now", "microdata", "s", outputs=(Output("a.csv", columns=("x",)),),
        key_sets={"": ("x",)}, checks=({"holds": True},),
    )  # fmt: skip
    plain = json.loads(json.dumps(entry.to_dict())) | {"later": 1}
    assert mv.ReleaseEntry.of(plain) == entry
    assert entry.title == "a.csv"
    assert mv.ReleaseEntry("1", "", "queries", "s").title == "queries of s"
