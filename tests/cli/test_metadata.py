from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli
from tests.metadata.ddi_schema import problems_in

RECIPE = """
roles: {identifiers: [name], quasi_identifiers: [sex], entity: who, weight: w}
steps:
  - {method: drop, columns: [name]}
  - {method: round, columns: [pay], base: 50}
require: [{model: k_anonymity, k: 3}]
keep: [who]
undeclared: keep
"""
STUDY = "title: Panel\nlicense: CC0\ncreator: Office\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [f"n{i},{i // 2},{'fm'[i % 2]},{1000 + i},1.5" for i in range(60)]
    (tmp_path / "data.csv").write_text("\n".join(["name,who,sex,pay,w", *rows]) + "\n")
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    (tmp_path / "study.yaml").write_text(STUDY)
    return tmp_path


@pytest.mark.parametrize("way", [[], ["--in-parts"]])
def test_a_run_writes_the_metadata_of_what_leaves(cli: Cli, place: Path, way: list[str]) -> None:
    done = cli(
        *("run", "recipe.yaml", "data.csv", "--out", "out.csv", "--metadata", "about"),
        *("--study", "study.yaml", "--seed", "1", *way),
    )
    assert done.code == 0, done.err
    text = (place / "about" / "ddi.xml").read_text()
    assert problems_in(text) == []
    assert "<titl>Panel</titl>" in text
    assert 'name="name"' not in text
    assert 'wgt="wgt"' in text
    assert "one person or unit" in text
    assert "Numbers were rounded." in text


def test_a_release_that_is_withheld_has_no_metadata(cli: Cli, place: Path) -> None:
    (place / "recipe.yaml").write_text(RECIPE.replace("k: 3", "k: 50"))
    done = cli(
        "run", "recipe.yaml", "data.csv", "--out", "out.csv", "--metadata", "about", "--json"
    )
    assert done.code == 3
    assert not (place / "about").exists()


def test_a_released_file_is_described_by_its_recipe(cli: Cli, place: Path) -> None:
    cli("run", "recipe.yaml", "data.csv", "--out", "out.parquet")
    done = cli("metadata", "recipe.yaml", "out.parquet", "--out", "about", "--json")
    told: dict[str, Any] = json.loads(done.out)
    assert len(told["files"]) == 5
    assert told["n_variables"] == 4
    one = cli("metadata", "recipe.yaml", "out.parquet", "--out", "panel.json")
    assert one.code == 0
    assert "cr:RecordSet" in (place / "panel.json").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["data.csv", "--out", "about"], "identifiers: name"),
        (["data.csv", "--out", "about.docx"], "identifiers: name"),
        (["out.csv", "--out", "about.docx"], "name a folder"),
        (["out.csv", "--out", "no/such/about.xml"], "folder"),
        (["out.csv", "--out", "about", "--study", "none.yaml"], "cannot read the study"),
    ],
)
def test_mistakes_are_one_sentence(cli: Cli, place: Path, arguments: list[str], said: str) -> None:
    cli("run", "recipe.yaml", "data.csv", "--out", "out.csv")
    done = cli("metadata", "recipe.yaml", *arguments)
    assert done.code == 2
    assert said in " ".join(done.err.split())
    assert not (place / "about").exists()


def test_labels_come_from_a_ddi_file(cli: Cli, place: Path) -> None:
    (place / "codes.xml").write_text(
        '<codeBook xmlns="ddi:codebook:2_5"><dataDscr><var name="sex"><labl>Sex</labl>'
        "<universe>All</universe><catgry><catValu>f</catValu><labl>female</labl></catgry></var>"
        "</dataDscr></codeBook>"
    )
    done = cli(
        *("run", "recipe.yaml", "data.csv", "--out", "out.csv", "--labels", "codes.xml"),
        *("--metadata", "about.xml"),
    )
    assert done.code == 0, done.err
    text = (place / "about.xml").read_text()
    assert ">female</labl>" in text
    assert "<universe>All</universe>" in text
