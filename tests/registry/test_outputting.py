"""Outputs in the registry: noted with their counts, and compared with those that left before."""

from __future__ import annotations

from pathlib import Path

import pytest

import microveil as mv
from microveil.registry import Registry, RegistryTerms
from microveil.registry.outputting import OutputsRegistration
from microveil.registry.recognising import recognise
from microveil.registry.records.verifying import verify_record

KEY = b"a secret of 32 bytes, kept apart"
COUNTS = b"town,count\nAmes,41\nBern,43\nTotal,84\n"


@pytest.fixture
def terms(tmp_path: Path) -> RegistryTerms:
    return RegistryTerms(Registry(tmp_path / "r.db", key=KEY, create=True), source="survey")


def _note(terms: RegistryTerms, folder: Path, body: bytes) -> OutputsRegistration:
    record = {"name": "towns", "verdict": "pass", "limits": {"threshold": 10}}
    noted = OutputsRegistration.of(terms, "project", {"towns.csv": body}, [record], folder)
    noted.begin()
    noted.finish()
    return noted


def test_outputs_that_differ_by_few_from_earlier_ones_are_counted(
    terms: RegistryTerms, tmp_path: Path
) -> None:
    first = _note(terms, tmp_path, COUNTS)
    assert first.sentence() == "No outputs of this source left before."
    assert _note(terms, tmp_path, COUNTS).n_small == 0
    changed = COUNTS.replace(b"43", b"41").replace(b"84", b"82")
    found = OutputsRegistration.of(terms, "project", {"a.csv": changed}, [], tmp_path)
    assert found.n_small == 4  # Bern and the total, beside each of the two before
    assert "4 cells differ by fewer than 10" in found.sentence()


def test_a_session_notes_its_outputs_and_each_is_verified(
    terms: RegistryTerms, tmp_path: Path
) -> None:
    pandas = pytest.importorskip("pandas")
    people = pandas.DataFrame({"town": ["Ames"] * 40 + ["Bern"] * 44, "sex": ["f", "m"] * 42})
    out = mv.Outputs("survey", "acro")
    out.crosstab(people["town"], people["sex"])
    folder = out.finalise(tmp_path / "results", registry=terms)
    (noted,) = terms.registry.releases("survey")
    assert (noted.kind, len(noted.outputs)) == ("outputs", 1)
    file = folder / noted.outputs[0].name
    assert recognise(terms.registry, file).holds
    record = next(folder.glob("*.record.json"))
    assert verify_record(record, file).holds
    assert not verify_record(record, tmp_path / "r.db").holds


def test_labels_are_kept_as_keyed_hashes_alone(terms: RegistryTerms, tmp_path: Path) -> None:
    _note(terms, tmp_path, COUNTS)
    assert b"Ames" not in (tmp_path / "r.db").read_bytes()
