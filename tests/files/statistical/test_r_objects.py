from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import microveil as mv
from microveil.files.statistical.r_objects import NotReadableError, Reader, missing_reals
from tests.files.statistical import r_writer as r


def test_short_forms_are_written_out(tmp_path: Path) -> None:
    def sequence(symbols: r.Symbols) -> bytes:
        name = r.number(2) + r.number(1) + r.text("compact_intseq") + r.NIL
        symbols.seen.append("compact_intseq")
        return r.number(238) + name + r.reals([2.0, 5.0, 1.0]) + r.NIL

    def frame(symbols: r.Symbols) -> bytes:
        return r.data_frame({"id": sequence}, symbols)

    (tmp_path / "p.rda").write_bytes(r.rda({"frame": frame}))
    assert mv.read(tmp_path / "p.rda")["id"].to_list() == [5, 6]


def test_texts_in_latin_1_are_read(tmp_path: Path) -> None:
    def frame(symbols: r.Symbols) -> bytes:
        return r.data_frame({"town": r.strings(["Köln", "x"], "latin-1")}, symbols)

    (tmp_path / "p.rda").write_bytes(r.rda({"frame": frame}))
    assert mv.read(tmp_path / "p.rda")["town"].to_list() == ["Köln", "x"]


def test_vectors_keep_their_attributes_and_missing_texts() -> None:
    symbols = r.Symbols()
    named = r.pairs({"class": r.strings(["Date"])}, symbols)
    value = Reader(r.header() + r.integers([3, r.NA], named)).value()
    assert list(value.data) == [3, r.NA]
    assert value.classes == ("Date",)
    assert value.texts("levels") == ()
    assert Reader(r.header() + r.strings(["é", None])).value().data == ["é", None]


def test_na_is_missing_and_nan_is_not() -> None:
    value = Reader(r.header() + r.reals([1.0, None, float("nan")])).value()
    assert missing_reals(value.data).tolist() == [False, True, False]
    assert np.isnan(value.data[1:]).all()


def test_other_formats_of_r_are_refused() -> None:
    with pytest.raises(NotReadableError, match="binary"):
        Reader(b"A\n3\n")
    with pytest.raises(NotReadableError, match="unknown version"):
        Reader(b"X\n" + r.number(9) + b"\0" * 8)
