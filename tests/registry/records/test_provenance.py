from __future__ import annotations

from microveil.registry.records.provenance import provenance_of

RECORD = {
    "input": {"sha256": "in"}, "recipe": {"sha256": "plan"}, "started": "now", "microveil": "0",
    "steps": [{"method": "drop"}], "written": [{"sha256": "out", "n_rows": 3}],
    "checks": [{"model": "k_anonymity", "required": 5, "achieved": 7, "holds": True}],
}  # fmt: skip


def test_each_rule_is_bound_to_the_output() -> None:
    found = provenance_of(RECORD, "Ann")
    run = found["activity"]["microveil:run"]
    (rule,) = run["microveil:rules"]
    assert (rule["rule"], rule["holds"], rule["bound_to"]) == ("k_anonymity", True, ["out"])
    assert found["entity"]["microveil:output/0"]["microveil:sha256"] == "out"
    assert found["agent"]["microveil:responsible"]["prov:label"] == "Ann"


def test_a_run_that_failed_has_no_output_and_nobody_need_be_named() -> None:
    failed = {name: RECORD[name] for name in ("input", "recipe", "started", "microveil")}
    found = provenance_of(failed, None)
    assert sorted(found["entity"]) == ["microveil:input", "microveil:recipe"]
    assert found["agent"] == {}
