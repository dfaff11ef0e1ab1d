"""Writes R's serialisation, as "R Internals" describes it, for the tests of its reader."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

NIL = struct.pack(">i", 254)
NA = -(2**31)
NA_REAL = struct.pack(">II", 0x7FF00000, 1954)


def number(value: int) -> bytes:
    return struct.pack(">i", value)


def text(value: str | None, encoding: str = "utf-8") -> bytes:
    if value is None:
        return number(9) + number(-1)
    raw = value.encode(encoding)
    level = (1 << 2) if encoding == "latin-1" else (1 << 3)
    return number(9 | level << 12) + number(len(raw)) + raw


class Symbols:
    """Names, written once and referred to afterwards."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def write(self, name: str) -> bytes:
        if name in self.seen:
            return number(255 | (self.seen.index(name) + 1) << 8)
        self.seen.append(name)
        return number(1) + text(name)


def pairs(entries: Mapping[str, bytes], symbols: Symbols) -> bytes:
    parts = [number(2 | 1 << 10) + symbols.write(name) + body for name, body in entries.items()]
    return b"".join(parts) + NIL


def vector(kind: int, body: bytes, length: int, attributes: bytes | None = None) -> bytes:
    flags = kind | (1 << 9 if attributes is not None else 0)
    return number(flags) + number(length) + body + (attributes or b"")


def strings(values: Sequence[str | None], encoding: str = "utf-8") -> bytes:
    return vector(16, b"".join(text(one, encoding) for one in values), len(values))


def integers(values: Sequence[int], attributes: bytes | None = None, kind: int = 13) -> bytes:
    return vector(kind, b"".join(number(one) for one in values), len(values), attributes)


def reals(values: Sequence[float | None], attributes: bytes | None = None) -> bytes:
    body = b"".join(NA_REAL if one is None else struct.pack(">d", one) for one in values)
    return vector(14, body, len(values), attributes)


def data_frame(columns: Mapping[str, Any], symbols: Symbols) -> bytes:
    """A data frame; a column is bytes, or a function of the symbols seen so far."""
    cells = [one(symbols) if callable(one) else one for one in columns.values()]
    attributes = pairs(
        {
            "names": strings(list(columns)),
            "class": strings(["data.frame"]),
            "row.names": integers([NA, -2]),
        },
        symbols,
    )
    return vector(19, b"".join(cells), len(cells), attributes)


def header(version: int = 3) -> bytes:
    start = b"X\n" + number(version) + number(0x00040301) + number(0x00030500)
    return start + (number(5) + b"UTF-8" if version == 3 else b"")


def rda(objects: Mapping[str, Any], version: int = 3) -> bytes:
    symbols = Symbols()
    parts = []
    for name, body in objects.items():
        tag = number(2 | 1 << 10) + symbols.write(name)
        parts.append(tag + (body(symbols) if callable(body) else body))
    return b"RDX%d\n" % version + header(version) + b"".join(parts) + NIL
