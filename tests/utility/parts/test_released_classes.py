from __future__ import annotations

import pytest

from microveil.errors import ColumnError, InputError
from microveil.tables import Roles, Table
from microveil.utility.parts.released_classes import released_classes


def test_records_without_any_key_are_suppressed_and_form_no_class() -> None:
    before = Table({"x": ["a", "b", "b", "c"], "y": [1, 2, 2, 3]})
    after = Table({"x": ["*", "b", "b", None], "y": [None, 2, 2, None]})
    found = released_classes(before, after, ("x", "y"), "it")
    assert (found.n_records, found.n_suppressed) == (4, 2)
    assert (sorted(found.before), list(found.after)) == ([1, 1, 2], [2])


def test_records_that_had_no_key_before_are_not_suppressed() -> None:
    before = Table({"x": ["a", "a", None]})
    found = released_classes(before, before, ("x",), "it")
    assert (found.n_suppressed, sorted(found.after)) == (0, [1, 2])


def test_a_key_that_is_gone_tells_no_records_apart() -> None:
    before = Table({"x": ["a", "b"], "y": [1, 2]}, Roles(quasi_identifiers=["x"]))
    found = released_classes(before, Table({"y": [1, 2]}), (), "it")
    assert (list(found.after), found.n_suppressed) == ([2], 0)


def test_keys_are_needed_and_checked() -> None:
    table = Table({"x": ["a"]})
    with pytest.raises(InputError, match="'it' needs quasi-identifiers"):
        released_classes(table, table, (), "it")
    with pytest.raises(ColumnError, match="'z'"):
        released_classes(table, table, ("z",), "it")
