from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.app.rekeying import rekey, replace_pseudonyms


@pytest.fixture
def steps(tmp_path: Path) -> tuple[mv.Pseudonymize, mv.Pseudonymize]:
    for name, byte in (("old", b"o"), ("new", b"n")):
        (tmp_path / f"{name}.key").write_text((byte * 32).hex(), encoding="utf-8")
        (tmp_path / f"{name}.key").chmod(0o600)
    old, new = (
        mv.Pseudonymize.parse({"columns": ["id"], "key_file": str(tmp_path / f"{name}.key")})
        for name in ("old", "new")
    )
    return old, new


def test_the_new_pseudonyms_are_those_of_the_new_key(
    steps: tuple[mv.Pseudonymize, mv.Pseudonymize],
) -> None:
    old, new = steps
    people = pl.DataFrame({"id": ["ann", "bob", "ann", None], "pay": [1, 2, 3, 4]})
    pairs = rekey(people, old, new)
    assert pairs.columns == ["column", "old", "new"]
    assert pairs.height == 2
    released = old.protect(people)
    again = replace_pseudonyms(released, pairs, ["id"])
    assert again.equals(new.protect(people))
    assert pairs["old"].to_list() == sorted(pairs["old"].to_list())


def test_a_mapping_serves_as_well_as_the_data(
    steps: tuple[mv.Pseudonymize, mv.Pseudonymize],
) -> None:
    old, new = steps
    people = pl.DataFrame({"id": ["ann", "bob"]})
    mapping = old.pairs(people["id"]).select(pl.lit("id").alias("column"), "original", "pseudonym")
    assert rekey(mapping, old, new).equals(rekey(people, old, new))
    with pytest.raises(mv.InputError, match="mapping has no column 'id'"):
        rekey(mapping.with_columns(column=pl.lit("other")), old, new)


def test_a_cell_that_is_no_pseudonym_of_these_data_is_counted_not_shown() -> None:
    pairs = pl.DataFrame({"column": ["id"], "old": ["a"], "new": ["b"]})
    released = pl.DataFrame({"id": ["a", "SECRET"]})
    with pytest.raises(mv.InputError, match="1 of 2 cells of 'id'") as told:
        replace_pseudonyms(released, pairs, ["id"])
    assert "SECRET" not in str(told.value)
