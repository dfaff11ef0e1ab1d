"""Sniffing: detect a text file's encoding and separator from its bytes."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from microveil.errors import FileError, quote

SEPARATORS = (",", ";", "\t", "|")
_SAMPLE_BYTES = 1 << 16
_LETTERS = 0xC0  # where both Windows code pages keep their letters
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_GZIP = b"\x1f\x8b"
_FOREIGN = ((b"PK\x03\x04", "XLSX"), (b"PAR1", "Parquet"), (b"$FL2", "SPSS"), (b"SQLite", "SQLite"))


@dataclass(frozen=True)
class TextFile:
    """A delimited file whose bytes are UTF-8, on disk or, once decoded, in memory."""

    path: Path
    source: Path | bytes
    encoding: str
    head: str
    """The first lines, decoded."""

    def open(self) -> BinaryIO:
        """The bytes in UTF-8, decompressed."""
        if isinstance(self.source, bytes):
            return io.BytesIO(self.source)
        return open_unpacked(self.source)


def open_unpacked(path: Path) -> BinaryIO:
    """A file's bytes, decompressed if its name or its first bytes say so."""
    with path.open("rb") as file:
        packed = path.suffix == ".gz" or file.read(len(_GZIP)) == _GZIP
    return cast("BinaryIO", gzip.GzipFile(path)) if packed else path.open("rb")


def text_file(path: Path, encoding: str | None = None) -> TextFile:
    """The file with the given encoding, or the one that its first bytes suggest."""
    with open_unpacked(path) as file:
        head = file.read(_SAMPLE_BYTES)
    _refuse_foreign(path, head)
    encoding = _resolve_encoding(encoding) if encoding else suggested_encoding(head)
    if encoding != "utf-8" or (b"\r" in head and b"\n" not in head):
        return decode_file(path, encoding)
    try:
        start = codecs.getincrementaldecoder("utf-8-sig")().decode(head)
    except UnicodeDecodeError:
        raise not_in_encoding(path, "utf-8") from None
    return TextFile(path, path, "utf-8", start)


def decode_file(path: Path, encoding: str) -> TextFile:
    """The file converted to UTF-8 in memory, with normalised line ends."""
    with open_unpacked(path) as file:
        raw = file.read()
    try:
        text = raw.decode(encoding).removeprefix("\ufeff")
    except UnicodeError:
        raise not_in_encoding(path, encoding) from None
    if "\r" in text and "\n" not in text:
        text = text.replace("\r", "\n")
    return TextFile(path, text.encode(), encoding, text[:_SAMPLE_BYTES])


def suggested_encoding(raw: bytes) -> str:
    """UTF by its mark or its form, otherwise the Windows code page of western or Cyrillic text.

    >>> suggested_encoding("Müller".encode("windows-1252"))
    'windows-1252'
    >>> suggested_encoding("Иванов".encode("windows-1251"))
    'windows-1251'
    """
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return encoding
    if raw.count(0) > len(raw) // 4:
        return "utf-16-le" if raw[1::2].count(0) > raw[::2].count(0) else "utf-16-be"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(raw)
    except UnicodeDecodeError:
        # Accents occur singly among plain letters; Cyrillic words consist mostly of high bytes.
        words = re.findall(rb"[A-Za-z\x80-\xff]*[\x80-\xff][A-Za-z\x80-\xff]*", raw)
        high = sum(byte >= _LETTERS for word in words for byte in word)
        return "windows-1251" if 2 * high > sum(map(len, words)) else "windows-1252"
    return "utf-8"


def not_in_encoding(path: Path, encoding: str) -> FileError:
    """The sentence for bytes that are invalid in an encoding, with the first line they are in."""
    number = 0
    decoder = codecs.getincrementaldecoder(encoding)()
    with open_unpacked(path) as file:
        for number, line in enumerate(file, start=1):  # noqa: B007 - the last number is the answer
            try:
                decoder.decode(line)
            except UnicodeError:
                break
    return FileError(
        "{path} is not in {encoding}: line {number} holds bytes that are not valid in that "
        "encoding. Give the right one, for example encoding='windows-1252' or "
        "encoding='utf-16'.",
        path=path,
        encoding=encoding,
        number=number,
    )


def separator_of(head: str) -> str:
    r"""The separator that splits most lines into as many fields as the first.

    >>> separator_of("name;income\nA;1,5\nB;2,5\n")
    ';'
    """
    scores = {separator: _agreement(head, separator) for separator in SEPARATORS}
    best = max(SEPARATORS, key=lambda separator: scores[separator])
    return best if scores[best] > (0.0, 0) else ","


def _agreement(head: str, separator: str) -> tuple[float, int]:
    rows = csv.reader(io.StringIO(head, newline=""), delimiter=separator)
    try:
        widths = [len(row) for row in rows if row]
    except csv.Error:
        return 0.0, 0
    if len(widths) > 1 and len(head) >= _SAMPLE_BYTES // 4:
        widths.pop()  # the sample may end inside a row
    if not widths or widths[0] == 1:
        return 0.0, 0
    share = Counter(widths)[widths[0]] / len(widths)
    return round(share, 1), widths[0]


def _resolve_encoding(encoding: str) -> str:
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        raise FileError(
            "Unknown encoding '{encoding}'. Try 'utf-8', 'utf-16' or 'windows-1252'.",
            encoding=encoding,
        ) from None
    return "utf-8" if name in ("utf-8-sig", "ascii") else name


def one_separator(separator: str) -> str:
    """The separator, after checking that it is valid."""
    if len(separator.encode()) != 1 or separator in '"\r\n':
        known = quote(["\\t" if known == "\t" else known for known in SEPARATORS])
        raise FileError("A separator is one plain character; common ones are {known}.", known=known)
    return separator


def _refuse_foreign(path: Path, head: bytes) -> None:
    for mark, title in _FOREIGN:
        if head.startswith(mark):
            raise FileError(
                "{path} is not text but looks like {title}. Rename it, or give its format.",
                path=path,
                title=title,
            )
