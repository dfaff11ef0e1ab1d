"""Coding: texts written as numbers with value labels, and read back as these texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from microveil.files.labels import Code, Codebook, Labels

MEANING = "}: "
"""What stands between a set of codes and what they mean: ``{1, 2}: single; married``."""


def encode_columns(frame: pl.DataFrame, labels: Labels) -> pl.DataFrame:
    """The frame with the numbers of its code books; kinds of missing are missing cells."""
    coded = [
        _numbers(frame[name], book) for name, book in labels.books.items() if name in frame.columns
    ]
    return frame.with_columns(coded)


def with_kinds(
    written: pl.DataFrame, texts: pl.DataFrame, labels: Labels, kind: str
) -> tuple[pl.DataFrame, dict[str, Any]]:
    """The written frame with its kinds of missing, and what the writer needs to know of them."""
    columns, said = [], {}
    for name, book in labels.books.items():
        if not book.missing or name not in written.columns:
            continue
        kinds = texts[name].to_frame().select(
            pl.col(name).replace_strict(
                {text: str(code) for text, code in book.missing.items()}, default=None,
                return_dtype=pl.String,
            )
        ).to_series()  # fmt: skip
        if kind == "dta":
            pairs = zip(written[name].to_list(), kinds.to_list(), strict=True)
            cells = [number if letter is None else letter for number, letter in pairs]
            columns.append(pl.Series(name, cells, dtype=pl.Object))
            said[name] = sorted({str(code) for code in book.missing.values()})
        else:
            columns.append(written[name].fill_null(kinds.cast(written[name].dtype)))
            said[name] = _ranges([float(code) for code in book.missing.values()])
    option = "missing_user_values" if kind == "dta" else "missing_ranges"
    return written.with_columns(columns), {option: said} if said else {}


def _ranges(codes: list[float]) -> list[Any]:
    """SPSS declares up to three numbers missing, or one range."""
    few = 3
    return sorted(codes) if len(codes) <= few else [{"lo": min(codes), "hi": max(codes)}]


def decode_columns(frame: pl.DataFrame, found: Labels, labels: Labels) -> pl.DataFrame:
    """A written frame with the texts of its code books again; ``found`` has its kinds of gaps."""
    decoded = [
        _texts(frame[name], found.gaps.get(name), book)
        for name, book in labels.books.items()
        if name in frame.columns
    ]
    return frame.with_columns(decoded)


def _numbers(texts: pl.Series, book: Codebook) -> pl.Series:
    whole = all(float(code).is_integer() for code in book.codes.values())
    dtype = pl.Int64 if whole else pl.Float64
    known = {text: int(code) if whole else float(code) for text, code in book.codes.items()}
    spoken = texts.cast(pl.String).to_frame()
    mapped = pl.col(texts.name).replace_strict(known, default=None, return_dtype=dtype)
    return spoken.select(mapped).to_series()


def _texts(numbers: pl.Series, gaps: pl.Series | None, book: Codebook) -> pl.Series:
    name = numbers.name
    known = {float(code): text for text, code in book.codes.items()}
    told = numbers.cast(pl.Float64).to_frame().select(
        pl.col(name).replace_strict(known, default=None, return_dtype=pl.String)
    ).to_series()  # fmt: skip
    if gaps is None:
        return told
    kinds = {str(code): text for text, code in book.missing.items()}
    return told.fill_null(
        gaps.cast(pl.String).to_frame().select(
            pl.col(name).replace_strict(kinds, default=None, return_dtype=pl.String)
        ).to_series()
    )  # fmt: skip


def decode_recoded(frame: pl.DataFrame, labels: Labels, before: Labels) -> pl.DataFrame:
    """A released frame whose new codes are the texts that they stand for.

    A column is recoded if a code has a label that it does not have ``before``. Codes that kept
    their label, or never had one, are the same values in both, so they stay as they are, as text.

    >>> before = Labels(values={"age": {1: "one"}})
    >>> after = Labels(values={"age": {1: "one", 11: "[2, 5)"}})
    >>> decode_recoded(pl.DataFrame({"age": [1, 2, 11]}), after, before)["age"].to_list()
    ['1', '2', '[2, 5)']
    """
    decoded = []
    for name, codes in labels.values.items():
        old = before.values.get(name, {})
        new = {float(c): t for c, t in codes.items() if _is_number(c) and old.get(c) != t}
        if name not in frame.columns or not frame.schema[name].is_numeric():
            continue
        occurring = frame[name].cast(pl.Float64).is_in(list(new)).any()
        if new and occurring:
            decoded.append(_as_told(frame[name], new))
    return frame.with_columns(decoded)


def _is_number(code: Code) -> bool:
    return not isinstance(code, str)


def _as_told(numbers: pl.Series, new: Mapping[float, str]) -> pl.Series:
    name = numbers.name
    texts = {code: without_meaning(text) for code, text in new.items()}
    plain = numbers.cast(pl.String)
    told = numbers.cast(pl.Float64).to_frame().select(
        pl.col(name).replace_strict(texts, default=None, return_dtype=pl.String)
    ).to_series()  # fmt: skip
    return told.fill_null(plain)


def without_meaning(label: str) -> str:
    """The label of a set without what its codes mean.

    >>> without_meaning("{1, 2}: single; married"), without_meaning("[10, 20)")
    ('{1, 2}', '[10, 20)')
    """
    at = label.find(MEANING)
    return label[: at + 1] if label.startswith("{") and at > 0 else label
