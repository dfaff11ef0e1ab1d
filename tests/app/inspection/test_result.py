from __future__ import annotations

import json

import pytest

import microveil as mv
from microveil.app.inspection.result import Caution


def test_an_inspection_is_plain_data_without_a_cell() -> None:
    found = mv.inspect({"name": ["SECRET", "other"] * 20, "age": list(range(40))})
    plain = found.to_dict()
    assert "SECRET" not in json.dumps(plain)
    assert [one["name"] for one in plain["columns"]] == ["name", "age"]
    assert plain["n_records"] == 40
    assert all(isinstance(one["reasons"], list) for one in plain["columns"])
    assert found["age"].n_distinct == 40
    with pytest.raises(KeyError):
        found["none"]


def test_a_caution_reads_as_its_sentence() -> None:
    assert str(Caution("weight", ("w",), "Look at w.")) == "Look at w."
