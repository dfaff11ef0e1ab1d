from __future__ import annotations

import json
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.app.inspection import ColumnProfile, inspect
from microveil.errors import InputError
from microveil.tables import Table

PEOPLE = {
    "name": ["Ada Bell", "Ben Cole", "Cleo Diaz"],
    "sex": ["f", "m", "f"],
    "age": [30, None, 41],
    "income": [1200.5, 900.25, 3100.75],
}


@pytest.mark.parametrize(
    "kind",
    [dict, pl.DataFrame, pl.LazyFrame, pd.DataFrame, pa.table, Table],
    ids=["dict", "polars", "lazy", "pandas", "arrow", "table"],
)
def test_any_frame_is_inspected_alike(kind: Any) -> None:
    assert inspect(kind(PEOPLE)).to_dict() == inspect(pl.DataFrame(PEOPLE)).to_dict()


def test_a_profile_counts_what_is_there() -> None:
    age = inspect(PEOPLE)["age"]
    assert isinstance(age, ColumnProfile)
    assert (age.dtype, age.n_missing, age.n_distinct, age.n_unique) == ("whole number", 1, 2, 3)
    assert age.missing_share == pytest.approx(1 / 3)
    assert age.uniqueness == 1.0
    assert (age.distinction, age.separation) == (1.0, 1.0)


def test_an_unknown_column_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        inspect(PEOPLE)["height"]


def test_key_sets_are_columns_then_pairs_then_all_quasi_identifiers() -> None:
    data = {
        "sex": ["f", "m", "f", "f"],
        "age": [30, 40, 30, 40],
        "region": ["n", "n", "n", "s"],
        "income": [1.5, 2.5, 3.5, 1.5],
    }
    sets = {keys.columns: keys for keys in inspect(data).key_sets}
    assert list(sets)[:4] == [("sex",), ("age",), ("region",), ("income",)]
    assert {frozenset(names) for names in list(sets)[4:-1]} == {
        frozenset(pair) for pair in (("sex", "age"), ("sex", "region"), ("age", "region"))
    }
    together = sets["sex", "age", "region"]
    assert (together.n_distinct, together.n_unique) == (3, 2)
    assert together.separation == pytest.approx(5 / 6)


def test_the_result_is_plain_data() -> None:
    plain = inspect(PEOPLE).to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["roles"]["identifiers"] == ["name"]


def test_the_same_table_gives_the_same_result() -> None:
    data = {"x": [f"v{i * i % 9973}" for i in range(30_000)]}
    assert inspect(data, sample=50).to_dict() == inspect(data, sample=50).to_dict()


def test_a_sample_of_values_changes_no_count() -> None:
    data = {"email": [f"a{i % 7000}@b.org" for i in range(20_000)]}
    small, whole = inspect(data, sample=10)["email"], inspect(data, sample=None)["email"]
    assert small == whole


def test_rare_cells_are_seen_behind_many_missing_ones() -> None:
    cells: list[str | None] = [None] * 50_000
    cells[49_123] = "ada@example.org"
    assert inspect({"x": cells})["x"].kind == "email"


@pytest.mark.parametrize("sample", [0, -5])
def test_a_sample_of_nothing_is_refused(sample: int) -> None:
    with pytest.raises(InputError, match="1 value or more"):
        inspect(PEOPLE, sample=sample)


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(InputError, match="data frame or a column is needed"):
        inspect(42)


EVERY_DTYPE: dict[str, tuple[str, pl.Series]] = {
    "integer": ("whole number", pl.Series([1, 2, None], dtype=pl.Int8)),
    "unsigned": ("whole number", pl.Series([1, 2**63, None], dtype=pl.UInt64)),
    "int128": ("whole number", pl.Series([1, 2, None], dtype=pl.Int128)),
    "float": ("number", pl.Series([1.5, 2.0, None])),
    "whole float": ("whole number", pl.Series([1.0, 2.0, None])),
    "infinite float": ("number", pl.Series([1.5, float("inf"), float("nan")])),
    "only infinite": ("whole number", pl.Series([float("-inf"), float("inf"), None])),
    "decimal": ("number", pl.Series([Decimal("1.50"), Decimal("2.25"), None])),
    "string": ("text", pl.Series(["a", "", None])),
    "categorical": ("category", pl.Series(["a", "b", None], dtype=pl.Categorical)),
    "enum": ("category", pl.Series(["a", "b", None], dtype=pl.Enum(["a", "b"]))),
    "boolean": ("yes/no", pl.Series([True, False, None])),
    "date": ("date", pl.Series([date(2020, 1, 1), date(2021, 1, 1), None])),
    "datetime": ("date and time", pl.Series([datetime(2020, 1, 1, 5), None, None])),  # noqa: DTZ001  no zone
    "zoned": ("date and time", pl.Series([datetime(2020, 1, 1), None, None], dtype=pl.Datetime("us", "UTC"))),  # noqa: DTZ001,E501  the dtype has the zone
    "time": ("time of day", pl.Series([time(5), time(6), None])),
    "duration": ("duration", pl.Series([timedelta(1), timedelta(2), None])),
    "binary": ("binary", pl.Series([b"\xff", b"\xfe", None])),
    "null": ("empty", pl.Series([None, None, None])),
    "all missing": ("empty", pl.Series([None, None, None], dtype=pl.String)),
    "list": ("nested (list)", pl.Series([[1], [2], None])),
    "array": ("nested (array)", pl.Series([[1], [2], None], dtype=pl.Array(pl.Int64, 1))),
    "struct": ("nested (struct)", pl.Series([{"a": 1}, {"a": 2}, None])),
    "object": ("nested (object)", pl.Series([object(), object(), None], dtype=pl.Object)),
}  # fmt: skip


@pytest.mark.parametrize("n_rows", [0, 1, 3])
@pytest.mark.parametrize(("words", "series"), EVERY_DTYPE.values(), ids=EVERY_DTYPE)
def test_every_dtype_is_described(words: str, series: pl.Series, n_rows: int) -> None:
    found = inspect(pl.DataFrame({"x": series[:n_rows]}))
    json.dumps(found.to_dict(), allow_nan=False)
    profile = found["x"]
    assert profile.n_distinct <= n_rows - profile.n_missing
    if n_rows == 3:
        assert profile.dtype == words
        assert profile.n_missing > 0


@pytest.mark.parametrize("kind", ["list", "array", "struct", "object", "binary"])
def test_what_cannot_be_looked_into_has_no_role_but_a_warning(kind: str) -> None:
    found = inspect(pl.DataFrame({"x": EVERY_DTYPE[kind][1], "sex": ["f", "m", "f"]}))
    assert found["x"].role is None
    assert "x" not in found.roles.named
    assert any(caution.columns == ("x",) for caution in found.warnings)


def test_a_table_without_rows_is_read_by_its_names() -> None:
    schema = {"name": pl.String, "age": pl.Int64, "disease": pl.String}
    roles = inspect(pl.DataFrame(schema=schema)).roles
    assert (roles.identifiers, roles.quasi_identifiers) == (("name",), ("age",))
    assert roles.sensitive == ("disease",)


def test_a_table_without_columns_has_nothing_to_say() -> None:
    found = inspect(pl.DataFrame())
    assert (found.n_records, found.columns, found.key_sets) == (0, (), ())


def test_one_record_is_unique_in_everything_and_keeps_its_roles() -> None:
    found = inspect({"email": ["a@b.org"], "sex": ["f"]})
    assert (found["email"].role, found["sex"].role) == ("identifier", "quasi_identifier")
    assert (found["sex"].uniqueness, found["sex"].separation) == (1.0, 0.0)


MARKER = "Qzxmarker"
NUMBER = 739184620519
NAMES = ["x", "name", "email", "phone", "age", "zip", "comment", "weight", "hhid", "user", "income"]


@given(
    st.dictionaries(
        st.sampled_from(NAMES),
        st.sampled_from(
            [
                [MARKER, f"{MARKER} Again", f"{MARKER}@{MARKER}.org"],
                [f"See {MARKER} at the corner of the long and winding road", MARKER, None],
                [NUMBER, NUMBER + 1, -NUMBER],
                [NUMBER + 0.5, NUMBER * 1.0, None],
                [f"+{NUMBER}", f"00{NUMBER}", str(NUMBER)],
                [[NUMBER], [NUMBER + 1], None],
                [{"a": MARKER}, {"a": MARKER}, None],
                [MARKER.encode(), b"", None],
            ]
        ),
        min_size=1,
    ),
    st.integers(1, 40),
)
def test_no_cell_stands_in_the_result(data: dict[str, list[Any]], times: int) -> None:
    frame = pl.DataFrame({name: cells * times for name, cells in data.items()})
    found = inspect(frame)
    for shown in (json.dumps(found.to_dict()), repr(found), *map(str, found.warnings)):
        assert MARKER.lower() not in shown.lower()
        assert str(NUMBER)[:9] not in shown.replace(",", "").replace("_", "")


@given(
    st.lists(st.one_of(st.none(), st.text(max_size=12), st.emails()), min_size=1, max_size=25),
    st.sampled_from(NAMES),
)
def test_any_text_column_can_be_inspected(cells: list[str | None], name: str) -> None:
    found = inspect(pl.DataFrame({name: pl.Series(cells, dtype=pl.String)}))
    assert 0 <= found[name].separation <= 1
    assert found[name].n_distinct == len(set(cells) - {None, ""})


@given(st.lists(st.one_of(st.none(), st.floats()), min_size=1, max_size=25), st.sampled_from(NAMES))
def test_any_number_column_can_be_inspected(cells: list[float | None], name: str) -> None:
    found = inspect(pl.DataFrame({name: pl.Series(cells, dtype=pl.Float64)}))
    json.dumps(found.to_dict(), allow_nan=False)
    assert 0 <= found[name].uniqueness <= 1


def test_the_frame_is_left_alone() -> None:
    frame = pl.DataFrame(PEOPLE)
    inspect(frame)
    assert frame.equals(pl.DataFrame(PEOPLE))
