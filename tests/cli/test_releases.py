from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from microveil.cli.program import program

RECIPE = """
roles: {quasi_identifiers: [a]}
steps: [{method: drop, columns: [id]}]
require: [{model: k_anonymity, k: 5}, {across_releases: {k: 5}}]
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MICROVEIL_REGISTRY", str(tmp_path / "r.db"))
    monkeypatch.setenv("MICROVEIL_REGISTRY_KEY", "x" * 40)
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    pl.DataFrame({"id": range(40), "a": [i % 4 for i in range(40)]}).write_csv(tmp_path / "in.csv")
    assert call("releases", "create") == 0
    return tmp_path


def call(*words: str, code: int = 0) -> int:
    done = CliRunner().invoke(program, list(words))
    if isinstance(done.exception, SystemExit) or done.exception is None:
        return done.exit_code
    return int(getattr(done.exception, "exit_code", 1)) or code


def said(*words: str) -> dict[str, object]:
    done = CliRunner().invoke(program, [*words, "--json"])
    return dict(json.loads(done.stdout))


def release(place: Path, name: str, **more: str) -> int:
    words = [word for key, value in more.items() for word in (f"--{key}", value)]
    recipe, data, out = (str(place / one) for one in ("recipe.yaml", "in.csv", name))
    return call("run", recipe, data, "--out", out, "--person", "id", *words)


def test_releases_are_listed_shown_verified_audited_and_taken_elsewhere(place: Path) -> None:
    assert release(place, "one.csv", audience="partner") == 0
    assert release(place, "two.csv") == 0
    listed = said("releases", "list")["releases"]
    assert isinstance(listed, list)
    assert [one["audience"] for one in listed] == ["partner", None]
    assert said("releases", "show", "last")["id"] == listed[1]["id"]
    assert call("releases", "show", "last") == 0
    assert call("releases", "list") == 0
    assert call("releases", "verify", str(place / "one.csv")) == 0
    assert call("releases", "verify", str(place / "in.csv")) == 3
    assert said("releases", "audit")["holds"]
    assert call("releases", "export", str(place / "e.json")) == 0
    other = ["--registry", str(place / "other.db")]
    assert call("releases", "import", str(place / "e.json"), *other) == 0
    assert len(said("releases", "list", *other)["releases"]) == 2  # type: ignore[arg-type]


def test_files_are_composed_and_a_planted_attack_ends_with_three(place: Path) -> None:
    for name, keys in (
        ("x.csv", [i // 5 for i in range(25)]),
        ("y.csv", [i % 5 for i in range(25)]),
    ):
        pl.DataFrame({"id": range(25), "a": keys}).write_csv(place / name)
    files = [str(place / one) for one in ("x.csv", "y.csv")]
    words = ("releases", "compose", *files, "--person", "id", "-q", "a")
    assert call(*words) == 3
    assert said(*words)["n_unique"] == 25
    assert call("releases", "compose", files[0], files[0], "--person", "id", "-q", "a") == 0


def test_the_budget_of_the_query_service_stands_in_the_same_list(place: Path) -> None:
    from microveil.service.ledger.ledger import Ledger
    from microveil.service.ledger.steps import SetCaps

    url = f"sqlite:///{place}/ledger.db"
    with Ledger.open(url, create=True) as ledger:
        ledger.do(SetCaps("data:survey", {"epsilon": Fraction(3)}))
    assert call("releases", "budgets", "--ledger", url, "--data", "survey") == 0
    (entry,) = list(said("releases", "list")["releases"])  # type: ignore[call-overload]
    assert (entry["kind"], entry["privacy_loss"]["epsilon_cap"]) == ("queries", 3.0)
    assert call("releases", "budgets", "--ledger", url, "--data", "other") == 2
