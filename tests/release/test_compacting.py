"""What is handed out holds nothing but what it shows, whatever it is saved as."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest
from polars.testing import assert_frame_equal

import microveil as mv
from microveil.release.compacting import compact, compact_native
from tests.conftest import frame_kinds

SECRETS = ["PLANTED-ONE", "PLANTED-TWO", "PLANTED-CATEGORY", "PLANTED-ID"]
NUMBER = 0x5EC3E7_5EC3E7
"""A number whose bytes are looked for."""


SIZES = pl.Enum(["s", "PLANTED-CATEGORY"])


def _frame() -> pl.DataFrame:
    """Rows to be removed or blanked, which hold what must not leave."""
    return pl.DataFrame(
        {
            "name": ["PLANTED-ID"] * 7,
            "town": ["Ur"] * 3 + ["Uruk"] * 3 + ["PLANTED-ONE is a long name of a town"],
            "job": ["x"] * 3 + ["y"] * 3 + ["PLANTED-TWO is a long name of a job"],
            "size": pl.Series(["s"] * 6 + ["PLANTED-CATEGORY"], dtype=SIZES),
            "income": [1, 2, 3, 4, 5, 6, NUMBER],
        }
    )  # fmt: skip


def _pickled(frame: Any) -> bytes:
    return pickle.dumps(frame, protocol=5)


def _ipc(frame: Any) -> bytes:
    buffer = io.BytesIO()
    _polars(frame).write_ipc(buffer)
    return buffer.getvalue()


def _feather(frame: Any) -> bytes:
    buffer = io.BytesIO()
    table = frame if isinstance(frame, pa.Table) else _polars(frame).to_arrow()
    pyarrow.feather.write_feather(table, buffer, compression="uncompressed")
    return buffer.getvalue()


def _parquet(frame: Any) -> bytes:
    buffer = io.BytesIO()
    _polars(frame).write_parquet(buffer, compression="uncompressed")
    return buffer.getvalue()


def _polars(frame: Any) -> pl.DataFrame:
    if isinstance(frame, pl.LazyFrame):
        return frame.collect()
    return frame if isinstance(frame, pl.DataFrame) else pl.DataFrame(frame)


SAVED = [_pickled, _ipc, _feather, _parquet]


def _holds_secrets(raw: bytes) -> list[str]:
    found = [secret for secret in SECRETS if secret.encode() in raw]
    return found + (["number"] if NUMBER.to_bytes(8, "little") in raw else [])


ROLES = mv.Roles(
    identifiers=["name"], quasi_identifiers=["town", "job", "size"], sensitive=["income"]
)
REMOVED = mv.Recipe(
    roles=ROLES,
    steps=[mv.Drop(columns=["name"]), mv.SuppressRecords(k=2)],
    require=[mv.KAnonymity(k=2)],
)
BLANKED = mv.Recipe(
    roles=ROLES,
    steps=[
        mv.Drop(columns=["name"]),
        mv.LocalSuppression(k=2, missing="category"),
        mv.TopBottomCode(columns=["income"], top=5),
    ],
)
DROPPED = mv.Recipe(
    roles=mv.Roles(insensitive=["size"]), steps=[mv.SuppressRecords(k=2, columns=["town"])],
    undeclared="drop",
)  # fmt: skip


@pytest.mark.parametrize("make", frame_kinds())
@pytest.mark.parametrize(
    "recipe", [REMOVED, BLANKED, DROPPED], ids=["removed", "blanked", "dropped"]
)
def test_no_way_of_saving_the_data_shows_what_was_not_released(
    make: Callable[[pl.DataFrame], Any], recipe: mv.Recipe
) -> None:
    data = mv.run(recipe, make(_frame())).data
    for saved in SAVED:
        if saved is _pickled and isinstance(data, pl.LazyFrame):
            continue  # a plan is collected before it leaves
        assert _holds_secrets(saved(data)) == [], saved.__name__


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.jsonl", "t.sav", "t.sqlite", "t.duckdb"])
@pytest.mark.parametrize("recipe", [REMOVED, BLANKED], ids=["removed", "blanked"])
def test_no_file_shows_what_was_not_released(recipe: mv.Recipe, name: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {"table": "t"} if name in ("t.sqlite", "t.duckdb") else {}
    mv.run(recipe, _frame()).write(tmp_path / name, **options)
    assert _holds_secrets((tmp_path / name).read_bytes()) == []


def test_categories_within_lists_and_structs_are_forgotten_too(tmp_path: Path) -> None:
    sizes = pl.Enum(["s", "PLANTED-CATEGORY"])
    frame = pl.DataFrame(
        {
            "town": ["Ur", "Ur", "Uruk"],
            "sizes": pl.Series([["s"], ["s"], ["PLANTED-CATEGORY"]], dtype=pl.List(sizes)),
            "pair": pl.Series(
                [{"a": "s"}, {"a": None}, {"a": "PLANTED-CATEGORY"}], dtype=pl.Struct({"a": sizes})
            ),
        }
    )
    roles = mv.Roles(quasi_identifiers=["town"], insensitive=["sizes", "pair"])
    release = mv.run(mv.Recipe(roles=roles, steps=[mv.SuppressRecords(k=2)]), frame)
    release.write(tmp_path / "t.parquet")
    assert _holds_secrets((tmp_path / "t.parquet").read_bytes()) == []
    for saved in SAVED:
        assert _holds_secrets(saved(release.data)) == []
    assert release.data["sizes"].to_list() == [["s"], ["s"]]


def test_parts_are_compact_and_forget_categories_too(tmp_path: Path) -> None:
    groups = {"people": ["town", "job"], "sizes": ["size", "income"]}
    steps = [mv.Decompose(groups=groups), mv.SuppressRecords(k=2)]
    release = mv.run(mv.Recipe(roles=ROLES, steps=steps), _frame())
    assert release.parts["sizes"].height == 6
    for saved in SAVED:
        assert _holds_secrets(saved(release.parts["sizes"])) == []
    release.write(tmp_path / "t.parquet")
    assert _holds_secrets((tmp_path / "t.sizes.parquet").read_bytes()) == []


@pytest.mark.parametrize("make", frame_kinds())
def test_a_compact_frame_shows_the_same_cells(
    make: Callable[[pl.DataFrame], Any], every_type: pl.DataFrame
) -> None:
    plain = every_type.drop("category", "enum", "clock", "span")
    frame = make(plain)
    before, after = _polars(frame), _polars(compact_native(frame))
    assert before.equals(after)
    assert before.schema == after.schema
    assert_frame_equal(compact(every_type), every_type, categorical_as_str=True)


@pytest.fixture
def every_type() -> pl.DataFrame:
    import datetime as dt

    return pl.DataFrame(
        {
            "whole": [1, None, -3],
            "real": [1.5, None, -2.25],
            "text": ["a", None, "b"],
            "truth": [True, None, False],
            "category": pl.Series(["x", "y", None], dtype=pl.Categorical),
            "enum": pl.Series(["x", "y", None], dtype=pl.Enum(["x", "y"])),
            "day": [dt.date(2020, 1, 1), None, dt.date(1950, 1, 2)],
            "span": pl.Series([1_000_000, None, 5], dtype=pl.Duration("us")),
            "clock": [dt.time(1, 2, 3), None, dt.time(0)],
        }
    )


def test_large_numbers_and_objects_are_compact_too() -> None:
    frame = pl.DataFrame(
        {
            "wide": pl.Series([2**100, None], dtype=pl.Int128),
            "nothing": pl.Series([None, None]),
            "deep": [[1], None],
        }
    )
    assert compact(frame).equals(frame)
    assert compact(frame).schema == frame.schema
    assert compact(frame.head(0)).schema == frame.schema


def test_a_release_without_a_door_hands_out_a_compact_copy_too() -> None:
    roles = mv.Roles(quasi_identifiers=["size"])
    recipe = mv.Recipe(roles=roles, steps=[mv.SuppressRecords(k=2)], undeclared="drop")
    release = replace(mv.run(recipe, _frame()), door=None)
    assert "PLANTED-CATEGORY" not in cast("pl.Enum", release.data["size"].dtype).categories
