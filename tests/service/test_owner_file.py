from __future__ import annotations

import copy
import datetime as dt
from pathlib import Path
from typing import Any

import pytest
import yaml

from microveil.errors import FileError, InputError, SpecError
from microveil.service.owner_file import OwnerFile, checked_name
from tests.service.places import OWNER


def test_a_file_holds_a_declaration_and_its_terms(tmp_path: Path) -> None:
    path = tmp_path / "survey.yaml"
    path.write_text(yaml.safe_dump(OWNER), encoding="utf-8")
    found = OwnerFile.read(path)
    assert found.declaration.name == OWNER["name"]
    assert found == OwnerFile.of(OWNER)
    assert found.beside(path) == found, "no public tables to look for"


def test_the_last_day_ends_at_midnight() -> None:
    raw: dict[str, Any] = copy.deepcopy(OWNER)
    raw["service"]["expires"] = dt.date(2030, 1, 31)
    ends = OwnerFile.of(raw).terms.ends
    assert ends is not None
    assert ends.isoformat().startswith("2030-01-31T23:59:59")
    assert OwnerFile.of(OWNER).terms.ends is None


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        OwnerFile.read(tmp_path / "none.yaml")
    (tmp_path / "old.yaml").write_bytes(b"name: \xf1")
    with pytest.raises(FileError, match="not UTF-8"):
        OwnerFile.read(tmp_path / "old.yaml")
    (tmp_path / "bad.yaml").write_text("a: [", encoding="utf-8")
    with pytest.raises(SpecError, match="Not valid YAML"):
        OwnerFile.read(tmp_path / "bad.yaml")


@pytest.mark.parametrize("name", ["", "1a", "a b", "a" * 65, "ñ"])
def test_names_are_plain(name: str) -> None:
    with pytest.raises(InputError, match="begins with a letter"):
        checked_name(name)
