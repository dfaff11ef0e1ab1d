from __future__ import annotations

import base64
import hmac
import uuid
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError, InputError, SecretError, SpecError
from microveil.methods.pseudonymize import step as pseudonymize
from microveil.methods.pseudonymize.step import Pseudonymize
from microveil.tables import Table

KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROVEIL_KEY", KEY)


def pseudonyms(values: Any, **how: Any) -> list[Any]:
    frame = pl.DataFrame({"x": values})
    return list(Pseudonymize(columns="x", **how).protect(frame)["x"].to_list())


TEXTS = st.text(
    alphabet=st.characters(max_codepoint=0x2FF, exclude_categories=["Cs"]), min_size=1
).filter(str.strip)  # an empty cell is a missing one


@given(st.lists(TEXTS))
def test_a_token_is_the_keyed_hash_of_the_text(values: list[str]) -> None:
    naive = [
        base64.b32encode(hmac.new(KEY.encode(), text.encode(), "sha256").digest())
        .decode()
        .lower()[:16]
        if text
        else None
        for text in values
    ]
    assert pseudonyms(pl.Series(values, dtype=pl.String)) == naive


@pytest.mark.parametrize(
    "five",
    [
        pl.Series([5]),
        pl.Series([5], dtype=pl.Int32),
        pl.Series([5.0]),
        pl.Series(["5"]),
        pl.Series(["5"], dtype=pl.Categorical()),
    ],
)
def test_a_value_has_one_pseudonym_in_every_type(five: pl.Series) -> None:
    assert pseudonyms(five) == pseudonyms(["5"])


def test_a_date_has_one_pseudonym_however_it_is_stored() -> None:
    as_text = pseudonyms(["2024-01-31"])
    assert pseudonyms([date(2024, 1, 31)]) == as_text
    assert pseudonyms([datetime(2024, 1, 31)]) == as_text  # noqa: DTZ001  naive on purpose


def test_an_accent_counts_once_however_it_is_encoded() -> None:
    assert pseudonyms(["Jos\u00e9"]) == pseudonyms(["Jose\u0301"])


def test_a_person_has_one_pseudonym_across_columns() -> None:
    frame = pl.DataFrame({"buyer": ["ann", "bob"], "seller": ["bob", "ann"]})
    after = Pseudonymize(columns=["buyer", "seller"]).protect(frame)
    assert after["buyer"].to_list() == after["seller"].reverse().to_list()


def test_styles_look_as_they_say() -> None:
    (token,) = pseudonyms(["ann"], length=20)
    (number,) = pseudonyms(["ann"], style="number")
    (text,) = pseudonyms(["ann"], style="uuid")
    assert len(token) == 20
    assert len(str(number)) == 18
    assert uuid.UUID(text).version == 8
    assert uuid.UUID(text).variant == uuid.RFC_4122


@pytest.mark.parametrize("style", ["token", "number", "uuid"])
def test_other_keys_and_domains_give_other_pseudonyms(
    style: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = pseudonyms(["ann"], style=style)
    apart = pseudonyms(["ann"], style=style, domain="2025 release")
    monkeypatch.setenv("MICROVEIL_KEY", KEY[::-1])
    assert len({*mine, *apart, *pseudonyms(["ann"], style=style)}) == 3


@pytest.mark.parametrize("style", ["token", "number", "uuid"])
def test_every_kind_of_column_keeps_its_gaps_and_its_ties(
    any_column: pl.Series, style: str
) -> None:
    after = Pseudonymize(columns="x", style=style).protect(any_column.to_frame())["x"]
    assert after.is_null().equals(any_column.is_null())
    assert after.n_unique() == any_column.n_unique()


def test_a_key_file_serves_like_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(KEY + "\n")
    assert pseudonyms(["ann"], key_file=file, key_env="NO_SUCH") == pseudonyms(["ann"])


def test_a_missing_key_says_how_to_make_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MICROVEIL_KEY")
    with pytest.raises(
        SecretError, match=r"no key in the environment variable 'MICROVEIL_KEY'"
    ) as e:
        pseudonyms(["ann"])
    assert "openssl rand -hex 32" in str(e.value)


def test_a_missing_key_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SecretError, match="no key in the key file"):
        pseudonyms(["ann"], key_file=tmp_path / "absent")
    with pytest.raises(SecretError, match="cannot be read"):
        pseudonyms(["ann"], key_file=tmp_path)


def test_a_short_key_is_refused_and_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROVEIL_KEY", "hush-hush")
    with pytest.raises(SecretError, match="at least 16 bytes") as error:
        pseudonyms(["ann"])
    assert "hush" not in str(error.value)


def test_the_key_stays_out_of_everything_that_is_kept() -> None:
    step = Pseudonymize(columns="x", mapping=True)
    outcome = step.apply(Table({"x": ["ann", None]}), np.random.default_rng(0))
    kept = [repr(step), step.to_dict(), outcome.facts, outcome.secrets, outcome.table.frame]
    assert KEY not in "".join(str(thing) for thing in kept)
    fingerprint = outcome.facts["key_fingerprint"]
    assert outcome.facts == {
        "n_changed": {"x": 1},
        "n_missing": {"x": 1},
        "key_fingerprint": fingerprint,
    }
    assert len(fingerprint) == 16
    assert fingerprint != KEY[:16]


def test_a_mapping_is_kept_apart_and_leads_back() -> None:
    frame = pl.DataFrame({"x": ["ann", "bob", None], "y": ["bob", "cid", "cid"]})
    step = Pseudonymize(columns=["x", "y"], mapping=True)
    outcome = step.apply(Table(frame), np.random.default_rng(0))
    mapping = outcome.secrets["pseudonymize_mapping"]
    assert not outcome.parts
    back = dict(mapping.select("pseudonym", "original").iter_rows())
    assert [back.get(name) for name in outcome.table.frame["x"]] == ["ann", "bob", None]
    assert mapping.select("column", "original").rows() == [
        ("x", "ann"),
        ("x", "bob"),
        ("y", "bob"),
        ("y", "cid"),
    ]


def test_no_mapping_is_made_unless_asked_for() -> None:
    step = Pseudonymize(columns="x")
    assert not step.apply(Table({"x": ["ann"]}), np.random.default_rng(0)).secrets


def test_two_people_never_become_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pseudonymize, "_number", lambda digest: digest[0] % 2)
    with pytest.raises(InputError, match=r"1 of 3 distinct values would share a pseudonym"):
        pseudonyms(["ann", "bob", "cid"], style="number")


def test_an_empty_table_stays_empty() -> None:
    assert pseudonyms(pl.Series([], dtype=pl.Int64)) == []


def test_nested_cells_are_refused_by_name(nested: pl.DataFrame) -> None:
    with pytest.raises(ColumnError, match=r"Step 'pseudonymize' cannot use column 'x'.*nested"):
        Pseudonymize(columns="x").protect(nested)


def test_tokens_are_too_long_to_collide() -> None:
    with pytest.raises(SpecError, match="greater than or equal to 16"):
        Pseudonymize.parse({"columns": ["x"], "length": 8})


@pytest.mark.parametrize(
    ("how", "row_wise"), [({}, True), ({"mapping": True}, False), ({"style": "number"}, False)]
)
def test_only_what_needs_the_whole_table_asks_for_it(how: dict[str, Any], row_wise: bool) -> None:  # noqa: FBT001  a parameter of the case
    assert Pseudonymize(columns="x", **how).row_wise is row_wise


def test_a_run_with_another_key_than_the_pinned_one_is_refused() -> None:
    pinned = Pseudonymize(columns=["id"], key_fingerprint="0" * 16)
    with pytest.raises(SecretError, match="not the one that the recipe names"):
        pinned.protect({"id": ["a"]})
    with pytest.raises(SpecError, match="key_fingerprint"):
        Pseudonymize(columns=["id"], key_fingerprint="0" * 8)
