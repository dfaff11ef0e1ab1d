"""Anything as plain data for JSON and pages."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

LONGEST = 80
"""Number of characters of a text that are shown."""


def plain(value: Any) -> Any:
    """Numbers, booleans and None unchanged, text truncated, everything else as text.

    >>> plain({"n": 3, "share": float("nan"), "columns": ("a", "b")})
    {'n': 3, 'share': 'nan', 'columns': ['a', 'b']}
    """
    if hasattr(value, "item") and not hasattr(value, "__len__"):
        value = value.item()  # a NumPy scalar
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(inner) for inner in value]
    return cut(value if isinstance(value, str) else str(value))


def cut(text: str) -> str:
    """Text truncated to :data:`LONGEST`."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
