"""A key is compared with what it was, in one type."""

from __future__ import annotations

import polars as pl
import pytest

from microveil.release.deriving.hidden_key import NOTHING, HiddenKey


@pytest.mark.parametrize(
    ("before", "after", "hidden"),
    [
        (pl.Series([1, 2, 3]), pl.Series([1, None, 3]), [False, True, False]),
        (pl.Series([1, 2, 3]), pl.Series([1.0, 2.0, 2.0]), [False, False, True]),
        (pl.Series([1, 2, 3]), pl.Series(["1", "[2, 3]", "[2, 3]"]), [False, True, True]),
        (pl.Series([1, None, 3]), pl.Series([1, None, None]), [False, False, True]),
        (
            pl.Series(["a", "b"], dtype=pl.Categorical()),
            pl.Series(["a", "*"], dtype=pl.Enum(["a", "*"])),
            [False, True],
        ),
    ],
)
def test_cells_that_no_longer_show_their_value_are_hidden(
    before: pl.Series, after: pl.Series, hidden: list[bool]
) -> None:
    key = HiddenKey.of("key", before, after)
    assert key is not None
    assert key.hidden.to_list() == hidden


def test_a_key_as_it_was_or_with_one_value_hides_nothing() -> None:
    same = pl.Series([1, 2, None])
    assert HiddenKey.of("key", same, same) is None
    assert HiddenKey.of("key", pl.Series([1, 1]), pl.Series([None, 1])) is None
    assert HiddenKey.of("key", pl.Series([[1], [2]]), pl.Series([[1], [3]])) is None


def test_a_label_leaves_open_what_stands_behind_it() -> None:
    key = HiddenKey.of("key", pl.Series([1, 2, 3, 4]), pl.Series(["1", "2-3", "2-3", None]))
    assert key is not None
    assert key.open_values.to_list() == [1, 2, 2, NOTHING]
