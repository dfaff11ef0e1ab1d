"""Data frames of R."""

from __future__ import annotations

import bz2
import gzip
import lzma
import math
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.errors import FileError
from tests.files.statistical import r_writer as r

Make = Callable[[r.Symbols], bytes]


def factor(codes: list[int], levels: list[str], *classes: str) -> Make:
    def make(symbols: r.Symbols) -> bytes:
        named = {"levels": r.strings(levels), "class": r.strings(list(classes) or ["factor"])}
        return r.integers(codes, r.pairs(named, symbols))

    return make


def classed(values: list[float | None], *classes: str, **more: bytes) -> Make:
    def make(symbols: r.Symbols) -> bytes:
        return r.reals(values, r.pairs({**more, "class": r.strings(list(classes))}, symbols))

    return make


COLUMNS: dict[str, Any] = {
    "town": r.strings(["Ærø", None]),
    "n": r.integers([7, r.NA]),
    "x": r.reals([1.5, None]),
    "ok": r.integers([1, r.NA], kind=10),
    "sex": factor([2, r.NA], ["f", "m"]),
    "rank": factor([2, 1], ["low", "high"], "ordered", "factor"),
    "day": classed([18_993.0, None], "Date"),
    "moment": classed([1_600_000_000.5, None], "POSIXct", "POSIXt", tzone=r.strings(["UTC"])),
    "spell": classed([1.5, None], "difftime", units=r.strings(["hours"])),
}
EXPECTED = {
    "town": ["Ærø", None],
    "n": [7, None],
    "x": [1.5, None],
    "ok": [True, None],
    "sex": ["m", None],
    "rank": ["high", "low"],
    "day": [date(2022, 1, 1), None],
    "moment": [datetime(2020, 9, 13, 12, 26, 40, 500_000), None],  # noqa: DTZ001  as in UTC
    "spell": [timedelta(hours=1.5), None],
}


def people(symbols: r.Symbols) -> bytes:
    return r.data_frame(COLUMNS, symbols)


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_every_kind_of_column_is_read(
    tmp_path: Path, version: int, pack: Callable[[bytes], bytes]
) -> None:
    (tmp_path / "p.RData").write_bytes(pack(r.rda({"people": people}, version)))
    frame = mv.read(tmp_path / "p.RData")
    assert frame.to_dict(as_series=False) == EXPECTED
    assert frame.schema["rank"] == pl.Enum(["low", "high"])


def test_an_rds_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "p.rds").write_bytes(gzip.compress(r.header() + people(r.Symbols())))
    assert mv.read(tmp_path / "p.rds", columns=["n", "town"]).columns == ["n", "town"]


def test_of_several_tables_one_is_named(tmp_path: Path) -> None:
    def small(symbols: r.Symbols) -> bytes:
        return r.data_frame({"a": r.integers([1, 2])}, symbols)

    content = r.rda({"people": people, "other": r.reals([1.0]), "small": small})
    (tmp_path / "p.rda").write_bytes(content)
    with pytest.raises(FileError, match=r"several data frames.*people, small"):
        mv.read(tmp_path / "p.rda")
    with pytest.raises(FileError, match="no data frame 'smal'"):
        mv.read(tmp_path / "p.rda", table="smal")
    assert mv.read(tmp_path / "p.rda", table="small")["a"].to_list() == [1, 2]


def test_a_column_that_is_no_column_is_named(tmp_path: Path) -> None:
    def frame(symbols: r.Symbols) -> bytes:
        nested = r.vector(19, r.integers([1]) + r.integers([2]), 2)
        return r.data_frame({"notes": nested}, symbols)

    (tmp_path / "p.rda").write_bytes(r.rda({"frame": frame}))
    with pytest.raises(FileError, match="'notes' is a list"):
        mv.read(tmp_path / "p.rda")


def matrix(kind: Callable[..., bytes], values: list[Any], *shape: int) -> Make:
    def make(symbols: r.Symbols) -> bytes:
        return kind(values, r.pairs({"dim": r.integers(list(shape))}, symbols))

    return make


def test_a_matrix_of_one_column_is_a_column_as_scale_leaves_it(tmp_path: Path) -> None:
    def frame(symbols: r.Symbols) -> bytes:
        one = {"x": matrix(r.reals, [1.5, None], 2, 1), "n": matrix(r.integers, [3, r.NA], 2, 1)}
        return r.data_frame(one, symbols)

    (tmp_path / "p.rda").write_bytes(r.rda({"frame": frame}))
    assert mv.read(tmp_path / "p.rda").to_dict(as_series=False) == {
        "x": [1.5, None],
        "n": [3, None],
    }


@pytest.mark.parametrize("shape", [(2, 2), (1, 2), (2, 1, 1)])
def test_any_other_matrix_is_named(tmp_path: Path, shape: tuple[int, ...]) -> None:
    def frame(symbols: r.Symbols) -> bytes:
        values = [float(one) for one in range(math.prod(shape))]
        return r.data_frame({"x": matrix(r.reals, values, *shape)}, symbols)

    (tmp_path / "p.rda").write_bytes(r.rda({"frame": frame}))
    with pytest.raises(FileError, match="'x' is a list, a matrix"):
        mv.read(tmp_path / "p.rda")


@pytest.mark.parametrize("damage", [lambda raw: raw[:-40], lambda raw: b"A\n" + raw, bytes.upper])
def test_a_damaged_file_is_one_sentence(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    (tmp_path / "p.rda").write_bytes(damage(r.rda({"people": people})))
    with pytest.raises(FileError, match=r"p\.rda"):
        mv.read(tmp_path / "p.rda")


def test_a_file_without_a_table_says_so(tmp_path: Path) -> None:
    (tmp_path / "p.rda").write_bytes(r.rda({"x": r.reals([1.0])}))
    with pytest.raises(FileError, match="holds no data frame"):
        mv.read(tmp_path / "p.rda")


def test_nothing_is_written_as_r_data(tmp_path: Path) -> None:
    with pytest.raises(FileError):
        mv.write(pl.DataFrame({"a": [1]}), tmp_path / "p.rda")
