from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import ColumnError
from microveil.synthesis.parts.names import fresh_pseudonyms, names_people, pseudonym_columns

PEOPLE = pl.Series("who", [f"person {i}" for i in range(30)])
RNG = np.random.default_rng(0)


def test_most_records_have_a_text_of_their_own_where_people_are_named() -> None:
    assert names_people(PEOPLE)
    assert not names_people(PEOPLE.head(20))
    assert not names_people(pl.Series(["a", "b"] * 50))
    assert not names_people(pl.Series(range(100)))


@pytest.mark.parametrize("style", ["token", "number", "uuid"])
def test_pseudonyms_are_known_and_drawn_anew(style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROVEIL_KEY", "0123456789abcdef0123456789abcdef")
    step = mv.Pseudonymize.parse({"columns": ["who"], "style": style})
    frame = step.protect(PEOPLE.to_frame())
    assert pseudonym_columns(frame, ["who"]) == ("who",)
    fresh = fresh_pseudonyms(frame["who"], 100, RNG)
    assert fresh.dtype == frame["who"].dtype
    assert fresh.n_unique() == 100
    assert not set(fresh) & set(frame["who"])
    assert pseudonym_columns(fresh.to_frame(), ["who"]) == ("who",)


def test_names_are_refused_by_column_and_not_by_cell() -> None:
    with pytest.raises(ColumnError, match="'who' identifies people") as refused:
        pseudonym_columns(PEOPLE.to_frame(), [])
    assert "person 3" not in str(refused.value)
