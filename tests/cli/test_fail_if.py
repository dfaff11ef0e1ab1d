from __future__ import annotations

import json
from pathlib import Path

import pytest

from microveil.cli.fail_if import failures, thresholds
from microveil.errors import InputError
from tests.cli.conftest import Cli


@pytest.mark.parametrize("text", ["k", "k=5", "<5", "k<many", "k<nan", "k < 5 5", ""])
def test_a_threshold_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="reads like k<5"):
        thresholds([text])


@pytest.mark.parametrize(
    ("text", "broken"),
    [("k<5", True), ("k<=4", True), ("k<4", False), ("k>=4", True), ("k>4", False)],
)
def test_a_threshold_is_broken_on_its_side_alone(text: str, broken: bool) -> None:  # noqa: FBT001  a case
    assert bool(failures(thresholds([text]), {"k": 4}, {})) is broken


def test_a_measure_s_interval_and_parts_have_thresholds_too() -> None:
    score = {"value": 0.1, "interval": [0.0, 0.3], "parts": {"attack": {"rate": 0.5}}}
    wanted = thresholds(["m>0.2", "m.upper>0.2", "m.lower>0.2", "m.attack.rate>0.2"])
    assert [one.split()[0] for one in failures(wanted, {"m": score}, {})] == [
        "m.upper",
        "m.attack.rate",
    ]


@pytest.mark.parametrize("text", ["m.part>1", "m.upper>1", "n>1", "skipped>1"])
def test_a_number_that_is_not_there_is_no_pass(text: str) -> None:
    with pytest.raises(InputError, match="--fail-if"):
        failures(thresholds([text]), {"m": {"value": 1.0}}, {"skipped": "no numbers"})


def test_risk_ends_with_code_3_beyond_a_threshold(cli: Cli, data: Path) -> None:
    arguments = ("risk", data, "-q", "age,sex", "--json")
    fine = cli(*arguments, "--fail-if", "k<1", "--fail-if", "reidentification_risk>1")
    assert fine.code == 0
    assert json.loads(fine.out)["failed"] == []
    failed = cli(*arguments, "--fail-if", "k<1000", "--fail-if", "n_unique>100000")
    assert failed.code == 3
    assert len(json.loads(failed.out)["failed"]) == 1
    assert json.loads(failed.out)["error"]["kind"] == "RequirementNotMetError"
    assert "error" not in json.loads(fine.out)
    assert "k is " in failed.err
    wrong = cli(*arguments, "--fail-if", "reidentification_risc>0.09")
    assert wrong.code == 2
    assert "Did you mean 'reidentification_risk'" in wrong.err


def test_compare_ends_with_code_3_beyond_a_threshold(cli: Cli, data: Path) -> None:
    arguments = ("compare", data, data, "-q", "age,sex", "--measures", "cell_changes,class_sizes")
    assert cli(*arguments, "--fail-if", "cell_changes>0", "--fail-if", "k<1").code == 0
    failed = cli(*arguments, "--fail-if", "class_sizes>0.0001")
    assert failed.code == 3
    assert "class_sizes is" in failed.err


def test_a_scenario_breaks_a_threshold_as_well(cli: Cli, data: Path) -> None:
    arguments = ("risk", data, "-q", "sex", "--scenario", "all=age,sex,zip", "--json")
    failed = cli(*arguments, "--measures", "none", "--fail-if", "n_unique>0")
    plain = json.loads(failed.out)
    broken = [*plain["scenarios"].values(), plain]
    assert failed.code == (3 if any(one["n_unique"] for one in broken) else 0)
    assert plain["scenarios"]["all"]["n_unique"] > 0
    assert "Scenario all" in failed.err
