from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Cli
from tests.release.test_limits import people


def test_a_run_beyond_a_limit_writes_nothing_and_exits_with_3(cli: Cli, tmp_path: Path) -> None:
    source, out, report = (tmp_path / name for name in ("in.csv", "out.csv", "report.json"))
    people().write_csv(source)
    plan = tmp_path / "recipe.yaml"
    plan.write_text(
        "roles: {quasi_identifiers: [age, pay], sensitive: [ill]}\n"
        "steps: [{method: additive_noise, columns: [age, pay], sd_share: 0.001}]\n"
        "require: [{measure: record_linkage, at_most: 0.05}]\n",
        encoding="utf-8",
    )
    arguments = ("run", plan, source, "--out", out, "--report", report, "--json", "--seed", "1")
    failed = cli(*arguments)
    assert failed.code == 3
    assert not out.exists()
    (check,) = json.loads(failed.out)["checks"]
    assert (check["measure"], check["required"], check["holds"]) == ("record_linkage", 0.05, False)
    assert json.loads(report.read_text())["requirements"][0]["holds"] is False
    fine = cli(*arguments, "--set", "steps.0.sd_share=3")
    assert fine.code == 0
    assert out.exists()
    in_parts = cli(*arguments, "--in-parts")
    assert in_parts.code == 3
    assert json.loads(in_parts.out)["checks"] == json.loads(failed.out)["checks"]
