"""Records of any kind: rules and results bound to the files, and verified."""

from __future__ import annotations

from pathlib import Path

from microveil.registry.records.recording import make_record, write_record
from microveil.registry.records.verifying import verify_record

RULE = {"model": "k_anonymity", "title": "k", "required": 5, "achieved": 6, "holds": True}


def test_a_record_is_verified_against_each_of_its_files(tmp_path: Path) -> None:
    one, other = tmp_path / "1.bin", tmp_path / "2.bin"
    one.write_bytes(b"a"), other.write_bytes(b"b")
    record = make_record("linked", "a recipe", [RULE], {"a.csv": one}, more={"registered": "id"})
    write_record(record, tmp_path / "r.json")
    assert (record["kind"], record["registered"], record["exit_code"]) == ("linked", "id", 0)
    assert record["prov"]["activity"]["microveil:run"]["microveil:rules"][0]["holds"]
    assert verify_record(tmp_path / "r.json", one).holds
    assert not verify_record(tmp_path / "r.json", other).holds


def test_a_broken_rule_is_told_in_the_record(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"")
    record = make_record("tables", "", [RULE | {"holds": False}], {"x": tmp_path / "x"})
    write_record(record, tmp_path / "r.json")
    assert record["exit_code"] == 3
    assert not verify_record(tmp_path / "r.json", tmp_path / "x").holds
