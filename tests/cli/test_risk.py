from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tests.cli.conftest import Cli


def test_risk_reports_what_the_contract_promises(cli: Cli, data: Path) -> None:
    plain = json.loads(cli("risk", data, "-q", "age,sex,zip", "-s", "disease", "--json").out)
    assert (plain["n_records"], plain["n_classes"], plain["k"], plain["n_unique"]) == (6, 6, 1, 6)
    assert plain["acceptable_k"] == 10
    assert len(plain["worst"]) == 5
    assert set(plain["worst"][0]) == {"size", "share", "values"}
    assert plain["worst"][0]["share"] == pytest.approx(1 / 6)
    assert plain["models"]["k_anonymity"] == 1


def test_risk_lists_unique_rows_when_k_is_one(cli: Cli, data: Path) -> None:
    result = cli("risk", data, "-q", "age", "-q", "sex")
    assert "Unique rows" in result.out
    assert "too small: 10 is acceptable here" in result.out


def test_the_acceptable_k_can_be_overridden(cli: Cli, data: Path) -> None:
    out = cli("risk", data, "-q", "sex", "--acceptable-k", "100=3", "--json").out
    plain = json.loads(out)
    assert (plain["acceptable_k"], plain["acceptable"]) == (3, True)


def test_fewer_worst_classes_where_there_are_fewer(cli: Cli, data: Path) -> None:
    assert len(json.loads(cli("risk", data, "-q", "sex", "--json").out)["worst"]) == 2


def test_risk_answers_all_three_questions(cli: Cli, data: Path) -> None:
    arguments = ("risk", data, "-q", "age,sex", "-s", "disease")
    plain = json.loads(cli(*arguments, "--json").out)
    assert [one["question"] for one in plain["verdicts"]] == [
        "singling out",
        "linkability",
        "inference",
    ]
    assert "unknown" not in {one["level"] for one in plain["verdicts"]}
    assert plain["measures"]["individual_risk"]["value"] > 0
    told = cli(*arguments).out
    assert "Not measured: population_risk" in told
    assert "special_uniques" in told


def test_risk_takes_measures_by_name_and_a_weight(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    pl.DataFrame({"sex": ["f", "f", "m"], "w": [10.0, 5.0, 20.0]}).write_csv(path)
    arguments = ("risk", path, "-q", "sex", "--weight", "w", "--json", "--measures")
    found = json.loads(cli(*arguments, "individual_risk,population_risk").out)
    assert set(found["measures"]) == {"individual_risk", "population_risk"}
    assert "measures" not in json.loads(cli(*arguments, "none").out)
    refused = cli(*arguments, "individual_risc")
    assert refused.code == 2
    assert json.loads(refused.out)["error"]["remedy"] == "Did you mean 'individual_risk'?"
    assert "Did you mean 'individual_risk'" in refused.err
    refused = cli(*arguments, "record_linkage")
    assert refused.code == 2
    assert "use compare" in refused.err


@pytest.mark.parametrize("text", ["q,s\n", "q,s\nCELL,1\n", "q,s\n,\n,\n", "q,s\nnan,inf\n1,\n"])
def test_odd_files_are_measured_without_a_traceback(cli: Cli, tmp_path: Path, text: str) -> None:
    path = tmp_path / "odd.csv"
    path.write_text(text, encoding="utf-8")
    for command in (("risk", path), ("compare", path, path)):
        result = cli(*command, "-q", "q", "-s", "s", "--json")
        assert result.code in (0, 2)
        assert "Traceback" not in result.err
        assert "CELL" not in result.err
        if result.code == 0:
            verdicts = json.loads(result.out)["verdicts"]
            assert "CELL" not in json.dumps(verdicts)
