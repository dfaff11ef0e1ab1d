from __future__ import annotations

import json
from pathlib import Path

import pytest

import microveil as mv
from microveil.registry.records.verifying import verify_record


def test_a_record_fits_its_file_and_no_other(tmp_path: Path) -> None:
    source, out, record = (tmp_path / one for one in ("in.csv", "out.csv", "record.json"))
    source.write_text("a\n1\n1\n")
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["a"]), require=[mv.KAnonymity(k=2)])
    mv.run_file(recipe, source, out, record=record)
    found = verify_record(record, out)
    assert found.holds
    assert (found.n_rules, found.signed) == (1, False)
    assert "not the file" in verify_record(record, record).problems[0]
    plain = json.loads(record.read_text())
    assert plain["prov"]["activity"]["microveil:run"]["microveil:rules"][0]["holds"]
    plain["checks"][0]["holds"] = False
    record.write_text(json.dumps(plain))
    assert "did not hold" in verify_record(record, out).sentence()
    with pytest.raises(mv.FileError, match="no record"):
        verify_record(source, out)
    with pytest.raises(mv.FileError, match="no file"):
        verify_record(record, tmp_path / "nothing")
