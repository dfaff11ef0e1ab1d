from __future__ import annotations

import pytest

from microveil.errors import FileError
from microveil.files.databases.address import Address
from microveil.files.databases.target import (
    check_columns,
    column_list,
    fate_of,
    holds,
    lost_with,
    scratch_name,
    settle,
    split_name,
)

TABLE = Address("sqlite", "a.db", "a.db", table="People")


def test_an_existing_table_is_touched_only_on_request() -> None:
    assert fate_of(TABLE, {}, exists=False) == "make"
    assert fate_of(TABLE, {"replace": True}, exists=False) == "make"
    assert fate_of(TABLE, {"replace": True}, exists=True) == "replace"
    assert fate_of(TABLE, {"append": True}, exists=True) == "append"
    with pytest.raises(FileError, match="already has a table 'People'"):
        fate_of(TABLE, {}, exists=True)
    with pytest.raises(FileError, match="Choose one"):
        fate_of(TABLE, {"replace": True, "append": True}, exists=False)


def test_database_files_do_not_tell_upper_from_lower_case() -> None:
    assert holds(["PEOPLE"], "people")
    assert not holds(["PEOPLE"], "persons")


def test_a_name_has_at_most_a_schema_before_it() -> None:
    assert split_name(TABLE, "people") == (None, "people")
    assert split_name(TABLE, "survey.people") == ("survey", "people")
    for table in ("a.b.c", ".people", "people.", ""):
        with pytest.raises(FileError, match=r"TABLE or SCHEMA\.TABLE"):
            split_name(TABLE, table)


def test_what_goes_with_a_table_is_counted() -> None:
    assert lost_with({"index": 0, "trigger": 0}) == []
    assert "1 index, 2 triggers" in lost_with({"index": 1, "trigger": 2})[0]


def test_rows_go_only_to_a_table_with_their_columns() -> None:
    check_columns(TABLE, ["b", "a"], ["a", "b"])
    with pytest.raises(FileError, match="it lacks 'c' and it also has 'b'"):
        check_columns(TABLE, ["a", "b"], ["a", "c"])


def test_names_are_quoted_for_a_statement() -> None:
    assert column_list(["a b", 'say "x"']) == '"a b", "say ""x"""'
    one, other = scratch_name(), scratch_name()
    assert one.startswith('"microveil_partial_')
    assert one != other


def test_a_filled_table_takes_its_name_or_hands_over_its_rows() -> None:
    said: list[str] = []
    settle(said.append, "replace", '"s"."new"', '"s"."old"', ["a"])
    assert said == ['DROP TABLE IF EXISTS "s"."old"', 'ALTER TABLE "s"."new" RENAME TO "old"']
    said.clear()
    settle(said.append, "make", '"s"."new"', '"s"."old"', ["a"])
    assert said == ['ALTER TABLE "s"."new" RENAME TO "old"']  # nothing is dropped unasked
    said.clear()
    settle(said.append, "append", '"new"', '"old"', ["a", "b c"])
    assert said == [
        'INSERT INTO "old" ("a", "b c") SELECT "a", "b c" FROM "new"',
        'DROP TABLE "new"',
    ]
