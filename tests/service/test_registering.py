from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
import yaml

from microveil.errors import ColumnError
from microveil.service.home import Home
from microveil.service.registering import register
from microveil.service.registry import Registry
from tests.service.places import OWNER, survey


def test_a_table_is_checked_and_registered_with_its_declaration(tmp_path: Path) -> None:
    survey().write_parquet(tmp_path / "survey.parquet")
    owner = tmp_path / "survey.yaml"
    owner.write_text(yaml.safe_dump(OWNER), encoding="utf-8")
    home = Home(tmp_path / "home")
    made = register(home, tmp_path / "survey.parquet", owner)
    assert made.name == "survey"
    with home.open() as ledger:
        assert Registry(ledger).data_set("survey").fingerprint == made.fingerprint


def test_a_table_that_does_not_match_is_not_registered(tmp_path: Path) -> None:
    pl.DataFrame({"other": [1]}).write_parquet(tmp_path / "survey.parquet")
    owner = tmp_path / "survey.yaml"
    owner.write_text(yaml.safe_dump(OWNER), encoding="utf-8")
    with pytest.raises(ColumnError, match="has no column 'age', 'income', 'region', 'sex'"):
        register(Home(tmp_path / "home"), tmp_path / "survey.parquet", owner)
    assert not (tmp_path / "home").exists()
