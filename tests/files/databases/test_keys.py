from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.files import write
from microveil.files.databases.keys import KeyedTable, add_keys
from microveil.files.placing import Placing
from microveil.files.writing import Terms

PEOPLE = KeyedTable("people", (("id",), ("number",)), ())
VISITS = KeyedTable("visits", (), ((("who",), "people", ("id",)),))


def test_keys_read_as_sql() -> None:
    assert PEOPLE.constraints() == ['PRIMARY KEY ("id")', 'UNIQUE ("number")']
    assert VISITS.constraints() == ['FOREIGN KEY ("who") REFERENCES "people" ("id")']


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_orphans_keep_everything_out(kind: str, tmp_path: Path) -> None:
    url = f"{kind}:///{tmp_path / 'out.db'}"
    people = pl.DataFrame({"id": [1, 2], "number": [7, 8]})
    visits = pl.DataFrame({"who": [1, 3]})
    with pytest.raises(mv.MicroveilError), Placing() as placing:  # noqa: PT012  one transaction
        for name, frame in (("people", people), ("visits", visits)):
            write(frame, f"{url}?table={name}", terms=Terms(placing))
        add_keys(url, [PEOPLE, VISITS], placing)
    assert not (tmp_path / "out.db").exists()


def test_keys_need_tables(tmp_path: Path) -> None:
    with pytest.raises(mv.FileError, match="No table was written"), Placing() as placing:
        add_keys(f"sqlite:///{tmp_path / 'out.db'}", [PEOPLE], placing)
