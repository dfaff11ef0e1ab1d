"""The certificate of linked tables: every file with its checksum, every requirement."""

from __future__ import annotations

import hashlib
from pathlib import Path

import microveil as mv
from microveil.linked.certifying import certificate_of_tables
from microveil.reports.contents.certificate import certificate_page
from tests.linked.test_explaining import TABLES, recipe_of


def test_every_file_is_named_with_its_checksum(tmp_path: Path) -> None:
    release = mv.run_linked(recipe_of(), TABLES, seed=1)
    plain = certificate_of_tables(release, release.write(tmp_path / "out"))
    assert [one["table"] for one in plain["files"]] == ["patients", "visits"]
    for one in plain["files"]:
        there = (tmp_path / "out" / one["name"]).read_bytes()
        assert one["sha256"] == hashlib.sha256(there).hexdigest()
        assert one["sha256"] in certificate_page(plain)
    assert plain["links"] == ["visits.of -> patients.id"]


def test_requirements_say_that_people_are_counted(tmp_path: Path) -> None:
    release = mv.run_linked(recipe_of(), TABLES, seed=1)
    plain = certificate_of_tables(release, release.write(tmp_path / "out"))
    (told,) = plain["requirements"]
    assert told["holds"]
    assert "required 2 people, reached 4" in told["sentence"]
    assert plain["attackers"]["prosecutor"]["highest"] == 1 / release.risk.k
    assert plain["n_people"] == len(TABLES["patients"]["id"])


def test_no_cell_and_no_original_key_is_in_the_certificate(tmp_path: Path) -> None:
    release = mv.run_linked(recipe_of(), TABLES, seed=1)
    written = release.write(tmp_path / "out")
    page = certificate_page(certificate_of_tables(release, written) | {"made": "", "files": []})
    assert "79" not in page
    assert "ward" not in page
