from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.cli.cases import KEY
from tests.cli.conftest import Cli


def test_a_change_of_key_maps_old_pseudonyms_to_new_ones(
    cli: Cli, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, patients: pl.DataFrame
) -> None:
    monkeypatch.setenv("MICROVEIL_KEY", KEY)
    monkeypatch.setenv("MICROVEIL_NEW_KEY", KEY[::-1])
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        "{steps: [{method: pseudonymize, columns: [name], mapping: true}], undeclared: keep}",
        encoding="utf-8",
    )
    old, new, mapping = tmp_path / "old.csv", tmp_path / "new.csv", tmp_path / "mapping.csv"
    cli("run", recipe, data, "--out", old, "--mapping", mapping, "--keep-order")
    for source in (data, mapping):
        rekeyed, pairs = tmp_path / f"re-{source.name}", tmp_path / f"pairs-{source.name}"
        command = ("pseudonyms", "rekey", source, "-c", "name")
        assert cli(*command, "--out", pairs).code == 0
        assert cli(*command, "--out", rekeyed, "--release", old).code == 0
        monkeypatch.setenv("MICROVEIL_KEY", KEY[::-1])
        cli("run", recipe, data, "--out", new, "--mapping", tmp_path / "m.csv", "--keep-order")
        monkeypatch.setenv("MICROVEIL_KEY", KEY)
        assert set(pl.read_csv(rekeyed)["name"]) == set(pl.read_csv(new)["name"])
        found = pl.read_csv(pairs)
        assert set(found["old"]) == set(pl.read_csv(old)["name"])
        assert set(found["new"]) == set(pl.read_csv(new)["name"])
        assert not set(patients["name"]) & {*found["old"], *found["new"]}
        assert pairs.stat().st_mode & 0o077 == 0


def test_a_wrong_old_key_changes_nothing(
    cli: Cli, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MICROVEIL_KEY", KEY)
    monkeypatch.setenv("MICROVEIL_NEW_KEY", KEY[::-1])
    out = tmp_path / "out.csv"
    command = ("pseudonyms", "rekey", data, "-c", "name", "--out", out)
    result = cli(*command, "--release", data)
    assert result.code == 2
    assert "not pseudonyms of these data" in result.err
    assert not out.exists()
    assert cli("pseudonyms", "rekey", data, "-c", "name", "--out", data).code == 2


def test_a_fingerprint_tells_keys_apart_and_not_the_key(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for key in (KEY, KEY, KEY[::-1]):
        monkeypatch.setenv("MICROVEIL_KEY", key)
        result = cli("pseudonyms", "fingerprint")
        assert key not in result.out
        found.append(result.out)
    assert found[0] == found[1] != found[2]
