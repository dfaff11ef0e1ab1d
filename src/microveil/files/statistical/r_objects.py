"""R's serialisation: objects as R writes them to ``.rda``, ``.RData`` and ``.rds`` files.

The format is described in "R Internals", section 1.8 (R Core Team). Numbers are big-endian (XDR).
Only values are read: what R would run (functions, byte code) is passed over or refused, and
nothing is ever executed.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

NA_INTEGER = -(2**31)
NA_REAL = 1954
"""Low word of the one NaN that R takes for a missing number."""

_SYMBOL, _LIST, _ENVIRONMENT, _LANGUAGE = 1, 2, 4, 6
_SPECIAL, _BUILTIN, _CHARACTERS, _LOGICAL = 7, 8, 9, 10
_INTEGER, _REAL, _COMPLEX, _STRINGS = 13, 14, 15, 16
_VECTOR, _EXPRESSION, _RAW, _S4 = 19, 20, 24, 25
_ALTERNATIVE, _REFERENCE = 238, 255
_CODE, _POINTER, _WEAK = 21, 22, 23
_SEEN_BEFORE, _SEEN_AGAIN = 243, 244
_WITH_ATTRIBUTES = frozenset([239, 240])
_PASSED_OVER = frozenset([_SPECIAL, _BUILTIN, _S4, _CODE, _POINTER, _WEAK])
_NUMBERS = {_INTEGER: ">i4", _REAL: ">f8", _COMPLEX: ">c16", _RAW: "u1"}
_CODE_PAIRS = frozenset([_LIST, _LANGUAGE, _SEEN_AGAIN]) | _WITH_ATTRIBUTES
_NOTHING = frozenset([0, 241, 242, 250, 251, 252, 253, 254])
"""Types that have no content: NULL, and R's own environments."""
_NAMED_PLACES = frozenset([247, 248, 249])
"""Packages, namespaces and the like, which are written by their name."""
_WITHOUT_ATTRIBUTES = _NAMED_PLACES | {_SYMBOL, _ENVIRONMENT, _ALTERNATIVE}
_PAIRS = frozenset([_LIST, _LANGUAGE, 3, 5, 17])
_LATIN1 = 1 << 2


class NotReadableError(ValueError):
    """A kind of object that a table does not need."""


@dataclass(eq=False)
class Value:
    """An object of R: its data, and its attributes by name."""

    data: Any = None
    """An array of numbers (logicals are bytes, −1 is missing), a list of texts (None is missing),
    a list of values, or nothing."""
    attributes: dict[str, Value] = field(default_factory=dict)

    @property
    def classes(self) -> tuple[str, ...]:
        """The object's classes in R."""
        return self.texts("class")

    def texts(self, name: str) -> tuple[str, ...]:
        """An attribute that is a list of texts; empty where there is none."""
        found = self.attributes.get(name)
        return tuple(str(one) for one in found.data) if found and found.data is not None else ()


class Reader:
    """Reads one serialised object from bytes."""

    def __init__(self, content: bytes) -> None:
        """Start behind the header; R 3.5 and later say in which encoding texts are."""
        if content[:2] != b"X\n":
            raise NotReadableError("only R's binary format is read")
        self._bytes, self._at = content, 2
        self._references: list[Value] = []
        version = self._integer()
        self._skip(8)
        if version == 3:  # noqa: PLR2004  the version that added the encoding
            self._skip(self._integer())
        elif version != 2:  # noqa: PLR2004  the version before
            raise NotReadableError("unknown version")

    def value(self) -> Value:
        """The next object."""
        return self._object(self._integer())

    def named_values(self) -> dict[str, Value]:
        """A list of objects with names, as ``save`` writes it."""
        return self.value().attributes

    def _object(self, flags: int) -> Value:
        kind = flags & 0xFF
        if kind in _NOTHING:
            return Value()
        if kind == _REFERENCE:
            return self._references[(flags >> 8 or self._integer()) - 1]
        if kind in _PAIRS:
            return self._pairs(flags)
        if kind in _WITHOUT_ATTRIBUTES:
            place = self._named_place if kind in _NAMED_PLACES else self._unusual(kind)
            return place()
        found = Value([self._text(flags)]) if kind == _CHARACTERS else self._vector(kind)
        if flags & (1 << 9) and kind != _CHARACTERS:
            found.attributes = self._attributes()
        return found

    def _unusual(self, kind: int) -> Callable[[], Value]:
        return {
            _SYMBOL: self._symbol,
            _ENVIRONMENT: self._environment,
            _ALTERNATIVE: self._alternative,
        }[kind]

    def _symbol(self) -> Value:
        return self._remember(Value([self._text(self._integer())]))

    def _named_place(self) -> Value:
        self._skip(4)
        names = [self._text(self._integer()) for _ in range(self._integer())]
        return self._remember(Value(names))

    def _vector(self, kind: int) -> Value:
        if kind in _PASSED_OVER:
            return self._passed_over(kind)
        length = self._length()
        if kind in _NUMBERS:
            return Value(self._numbers(_NUMBERS[kind], length))
        if kind == _LOGICAL:
            yes_or_no = self._numbers(">i4", length)
            return Value(np.where(yes_or_no == NA_INTEGER, -1, yes_or_no != 0).astype(np.int8))
        if kind == _STRINGS:
            return Value([self._text(self._integer()) for _ in range(length)])
        if kind in (_VECTOR, _EXPRESSION):
            return Value([self.value() for _ in range(length)])
        raise NotReadableError(f"type {kind}")

    def _passed_over(self, kind: int) -> Value:
        """What is no data: code, pointers, objects that are all attributes."""
        if kind == _CODE:
            self._skip(4)
            self._code()
        if kind in (_SPECIAL, _BUILTIN):
            self._skip(self._integer())
        return self._pointer(kind) if kind in (_POINTER, _WEAK) else Value()

    def _pairs(self, flags: int) -> Value:
        """A list of objects, some with names; names that R leaves out are numbers here."""
        found: dict[str, Value] = {}
        while flags & 0xFF in _PAIRS:
            if flags & (1 << 9):
                self.value()
            tag = self.value() if flags & (1 << 10) else Value()
            name = tag.data[0] if isinstance(tag.data, list) else str(len(found))
            found[name] = self.value()
            flags = self._integer()
        if flags & 0xFF not in _NOTHING:
            self._object(flags)
        return Value(None, found)

    def _attributes(self) -> dict[str, Value]:
        return self.value().attributes

    def _code(self) -> None:
        """Skip compiled code, which saved workspaces hold beside the data."""
        self.value()
        for _ in range(self._integer()):
            kind = self._integer()
            if kind == _CODE:
                self._code()
            elif kind in _CODE_PAIRS or kind == _SEEN_BEFORE:
                self._code_pairs(kind)
            else:
                self.value()

    def _code_pairs(self, kind: int) -> None:
        if kind == _SEEN_BEFORE:
            self._skip(4)
            return
        if kind not in _CODE_PAIRS:
            self.value()
            return
        if kind == _SEEN_AGAIN:
            self._skip(4)
            kind = self._integer()
        if kind in _WITH_ATTRIBUTES:
            self.value()
        self.value()
        self._code_pairs(self._integer())
        self._code_pairs(self._integer())

    def _pointer(self, kind: int) -> Value:
        place = self._remember(Value())
        if kind == _POINTER:
            self.value()
            self.value()
        return place

    def _environment(self) -> Value:
        place = self._remember(Value())
        self._skip(4)
        for _ in range(4):
            self.value()
        return place

    def _alternative(self) -> Value:
        """Expand a vector that R stores in a compact form."""
        info, state = self.value(), self.value()
        attributes = self._attributes()
        name = next(iter(info.attributes.values())).data[0]
        if name in ("compact_intseq", "compact_realseq"):
            length, first, step = (float(one) for one in state.data)
            data: Any = first + step * np.arange(int(length))
            found = Value(data.astype(np.int32) if name == "compact_intseq" else data)
        elif name.startswith("wrap_") and (state.data or state.attributes):
            inner = state.data[0] if state.data else next(iter(state.attributes.values()))
            found = Value(inner.data)
        elif name == "deferred_string":
            found = Value(_as_written(next(iter(state.attributes.values()))))
        else:
            raise NotReadableError(f"short form {name}")
        found.attributes = attributes
        return found

    def _remember(self, value: Value) -> Value:
        self._references.append(value)
        return value

    def _text(self, flags: int) -> str | None:
        length = self._integer()
        if length < 0:
            return None
        raw = self._take(length)
        return raw.decode("latin-1" if flags >> 12 & _LATIN1 else "utf-8", errors="replace")

    def _length(self) -> int:
        length = self._integer()
        if length == -1:
            return (self._integer() << 32) + self._integer()
        return length

    def _numbers(self, dtype: str, length: int) -> Any:
        kind = np.dtype(dtype)
        raw = self._take(kind.itemsize * length)
        return np.frombuffer(raw, dtype=kind).astype(kind.newbyteorder("="))

    def _integer(self) -> int:
        number: int = struct.unpack_from(">i", self._bytes, self._at)[0]
        self._at += 4
        return number

    def _take(self, n_bytes: int) -> bytes:
        if n_bytes < 0 or self._at + n_bytes > len(self._bytes):
            raise NotReadableError("cut off")
        start, self._at = self._at, self._at + n_bytes
        return self._bytes[start : self._at]

    def _skip(self, n_bytes: int) -> None:
        self._take(n_bytes)


def _as_written(value: Value) -> list[str | None]:
    """Numbers as R prints them for a vector of texts; missing stays missing."""
    if value.data.dtype == np.int32:
        return [None if one == NA_INTEGER else str(one) for one in value.data.tolist()]
    missing = missing_reals(value.data)
    texts = [f"{one:.15g}" for one in value.data.tolist()]
    return [None if gone else text for gone, text in zip(missing, texts, strict=True)]


def missing_reals(numbers: np.ndarray[Any, np.dtype[np.float64]]) -> Any:
    """Which numbers are R's NA; its NaN is a number that is none."""
    bits = np.ascontiguousarray(numbers).view(np.uint64)
    return np.isnan(numbers) & ((bits & np.uint64(0xFFFFFFFF)) == NA_REAL)
