from __future__ import annotations

from pathlib import Path

import pytest

from microveil.errors import FileError
from microveil.service.fingerprints import fingerprint


def test_a_fingerprint_is_of_the_bytes_alone(tmp_path: Path) -> None:
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    one.write_bytes(b"x\n1\n")
    other.write_bytes(b"x\n1\n")
    assert fingerprint(one) == fingerprint(other)
    other.write_bytes(b"x\n1\n ")
    assert fingerprint(one) != fingerprint(other)
    with pytest.raises(FileError, match="cannot be read"):
        fingerprint(tmp_path / "none.csv")
