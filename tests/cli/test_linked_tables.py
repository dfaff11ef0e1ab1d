from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
import yaml

from microveil.cli.linked_tables import is_linked_file
from microveil.cli.program import main
from tests.linked.test_running import small
from tests.metadata.ddi_schema import problems_in


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    frames, raw = small()
    (tmp_path / "data").mkdir()
    for name, frame in frames.items():
        frame.write_csv(tmp_path / "data" / f"{name}.csv")
    (tmp_path / "strict.yaml").write_text(yaml.safe_dump(raw))
    raw["people"]["suppress"] = True
    (tmp_path / "recipe.yaml").write_text(yaml.safe_dump(raw))
    return tmp_path


def call(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr("sys.argv", ["microveil", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_a_folder_is_protected_into_a_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder / "out"
    asked = ("run", folder / "recipe.yaml", folder / "data", "--out", out, "--seed", 1, "--json")
    assert call(monkeypatch, *asked) == 0
    assert json.loads(capsys.readouterr().out)["n_people"] == 2
    assert pl.read_csv(out / "visits.csv").height == 2


def test_a_broken_requirement_writes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder / "out"
    assert call(monkeypatch, "run", folder / "strict.yaml", folder / "data", "--out", out) == 3
    assert "2-anonymity does not hold" in capsys.readouterr().err
    assert not out.exists()


def test_other_options_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("run", folder / "recipe.yaml", folder / "data", "--out", folder / "o", "--replace")
    assert call(monkeypatch, *asked) == 2
    assert "takes only" in capsys.readouterr().err
    assert is_linked_file(folder / "recipe.yaml")
    assert not is_linked_file(folder / "none.yaml")


def test_linked_tables_are_described_together(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, about = folder / "out", folder / "about"
    asked = ("run", folder / "recipe.yaml", folder / "data", "--out", out, "--metadata", about)
    assert call(monkeypatch, *asked, "--seed", 1) == 0
    text = (about / "ddi.xml").read_text(encoding="utf-8")
    assert problems_in(text) == []
    assert 'type="relational"' in text
    assert "It repeats " in text
    croissant = json.loads((about / "croissant.json").read_text(encoding="utf-8"))
    assert "references" in json.dumps(croissant["recordSet"])


def test_the_report_has_people_and_all_tables(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "report.json"
    asked = ("run", folder / "recipe.yaml", folder / "data", "--out", folder / "out", "--report")
    assert call(monkeypatch, *asked, path, "--made-by", "the office") == 0
    told = json.loads(path.read_text(encoding="utf-8"))
    assert told["made_by"] == "the office"
    assert [one["file"]["holds"] for one in told["tables"]] == [True, True]
    capsys.readouterr()
    assert call(monkeypatch, *asked[:4], folder / "again", "--report", "report.doc") == 2
    assert not (folder / "again").exists()


def test_linked_recipes_are_checked_assessed_and_compared(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe, data, out = folder / "recipe.yaml", folder / "data", folder / "out"
    assert call(monkeypatch, "check", recipe, data) == 0
    assert "fits the data" in capsys.readouterr().out
    assert call(monkeypatch, "run", recipe, data, "--out", out) == 0
    capsys.readouterr()
    found = []
    for source in (data, out):
        assert call(monkeypatch, "risk", source, "--recipe", recipe, "--json") == 0
        found.append(json.loads(capsys.readouterr().out)["k"])
    assert found == [1, 2]
    asked = ("compare", data, out, "--recipe", recipe, "--measures", "class_sizes", "--json")
    assert call(monkeypatch, *asked) == 0
    assert json.loads(capsys.readouterr().out)


def test_a_recipe_to_begin_with_is_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = folder / "first.yaml"
    people = pl.DataFrame({"person_id": range(9), "sex": ["f"] * 9})
    visits = pl.DataFrame({"person_id": range(9), "ward": ["a"] * 9})
    (folder / "two").mkdir()
    people.write_csv(folder / "two" / "people.csv")
    visits.write_csv(folder / "two" / "visits.csv")
    assert call(monkeypatch, "inspect", folder / "two", "--tables", "--recipe", first) == 0
    capsys.readouterr()
    assert call(monkeypatch, "check", first, folder / "two") == 0
    assert call(monkeypatch, "inspect", folder / "two" / "people.csv", "--recipe", first) == 2


def test_linked_tables_are_noted_in_the_registry_and_have_a_record(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    registry = ("--registry", folder / "r.db")
    key = ("--registry-key", folder / "r.key")
    assert call(monkeypatch, "releases", "create", *registry, *key) == 0
    asked = ("run", folder / "recipe.yaml", folder / "data", "--out", folder / "out", "--seed", 1)
    assert call(monkeypatch, *asked, *registry, *key, "--record", folder / "record.json") == 0
    assert "Registered as" in capsys.readouterr().out
    (file, *_) = sorted((folder / "out").iterdir())
    assert call(monkeypatch, "releases", "verify", file, *registry) == 0
    assert call(monkeypatch, "verify", folder / "record.json", file) == 0
    assert call(monkeypatch, "verify", folder / "record.json", folder / "recipe.yaml") == 3
    capsys.readouterr()
    assert call(monkeypatch, "releases", "list", *registry, "--json") == 0
    (noted,) = json.loads(capsys.readouterr().out)["releases"]
    assert (noted["kind"], noted["source"]) == ("linked", "data")
