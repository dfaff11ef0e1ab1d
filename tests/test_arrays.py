"""Names of array types, declared once."""

from __future__ import annotations

import re
from pathlib import Path

import microveil as mv
from microveil import arrays

DOMAIN = {"keyed_hashes.py", "record_points.py", "transitions.py"}
"""Modules whose own names say more than the type: hashes, points, matrices and vectors."""


def test_array_types_are_named_in_one_place() -> None:
    kinds = {repr(value) for name, value in vars(arrays).items() if name[0].isupper()}
    assert len(kinds) == 8, "one name for each type, and NDArray itself"
    declared = [
        module.name
        for module in Path(mv.__file__).parent.rglob("*.py")
        if module.name != "arrays.py"
        and re.search(
            r"(?m)^ *\w+ = NDArray\[np\.(float64|float32|int64|int32|uint64|uint8|bool_)\]$",
            module.read_text(encoding="utf-8"),
        )
    ]
    assert set(declared) == DOMAIN
