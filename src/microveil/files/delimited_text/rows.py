"""Rows of a delimited file: each must have as many fields as the header."""

from __future__ import annotations

import codecs
import csv
import io
from pathlib import Path
from typing import BinaryIO

import numpy as np

from microveil.errors import FileError
from microveil.texts import phrase

_QUOTE, _NEWLINE = ord('"'), ord("\n")
_CHUNK = 1 << 24


def regular(file: BinaryIO, separator: str, width: int) -> bool:
    """Whether every line has ``width`` fields and none is blank, by counting bytes.

    Quotes inside a field can cause a false negative, never a false positive.
    """
    rest = b""
    while True:
        chunk = file.read(_CHUNK)
        # The last row may lack its line end.
        block = rest + chunk if chunk or not rest else rest + b"\n"
        n_used, fits = _block_fits(block, ord(separator), width)
        if not fits:
            return False
        rest = block[n_used:]
        if not chunk:
            return not rest


def _block_fits(block: bytes, separator: int, width: int) -> tuple[int, bool]:
    """Number of bytes that are complete rows, and whether these rows have ``width`` fields."""
    data = np.frombuffer(block, dtype=np.uint8)
    quotes = data == _QUOTE
    outside = ~np.bitwise_xor.accumulate(quotes) if quotes.any() else np.ones_like(quotes)
    ends = np.flatnonzero((data == _NEWLINE) & outside)
    if len(ends) == 0:
        return 0, True
    separators = np.flatnonzero((data == separator) & outside)
    widths = np.diff(np.searchsorted(separators, ends), prepend=0) + 1
    return int(ends[-1]) + 1, bool((widths == width).all())


def tidy_rows(file: BinaryIO, path: Path, separator: str) -> bytes:
    """Rewrite the file without blank lines and stray quotes; ragged rows are an error.

    Slow and in memory: for files that :func:`regular` rejects.
    """
    # Decoded line by line: a wrapper around the file would close it.
    lines = codecs.iterdecode(file, "utf-8-sig")
    reader = csv.reader(lines, delimiter=separator, strict=True)
    tidy = io.StringIO(newline="")
    writer = csv.writer(tidy, delimiter=separator, lineterminator="\n")
    width, bad, line = 0, [], 1
    try:
        for row in reader:
            width = width or len(row)
            if len(row) == width or (not row and width == 1):
                writer.writerow(row)
            elif row:
                bad.append((line, len(row)))
            line = reader.line_num + 1
    except csv.Error:
        raise FileError(
            "{path}: the quotes in the row that starts on line {line} do not match. Double a "
            'quote inside a quoted field (""), and close each quoted field.',
            path=path,
            line=line,
        ) from None
    if bad:
        raise _ragged_error(path, separator, width, bad)
    return tidy.getvalue().encode()


def _ragged_error(path: Path, separator: str, width: int, bad: list[tuple[int, int]]) -> FileError:
    line, n_fields = bad[0]
    shown = phrase("tab") if separator == "\t" else f"'{separator}'"
    return FileError(
        "{path}: 1 row has a different field count from the header ({width}); the first starts "
        "on line {line} and has {n_fields}. Fields were split at {shown}: quote fields that "
        "contain it, or give another separator.",
        many="{path}: {n} rows have a different field count from the header ({width}); the first "
        "starts on line {line} and has {n_fields}. Fields were split at {shown}: quote fields "
        "that contain it, or give another separator.",
        path=path,
        n=len(bad),
        width=width,
        line=line,
        n_fields=n_fields,
        shown=shown,
    )
