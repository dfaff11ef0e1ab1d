"""A memory limit is read as people write it, and must leave room to work."""

from __future__ import annotations

from pathlib import Path

import pytest

from microveil.errors import InputError
from microveil.planning.memory import free_disk, free_memory, memory_limit


@pytest.mark.parametrize("said", ["4 parsecs", "1MiB", "ib"])
def test_a_memory_limit_is_a_number_and_a_unit(said: str) -> None:
    with pytest.raises(InputError, match="memory limit"):
        memory_limit(said)


def test_memory_limits_are_read_as_people_write_them() -> None:
    assert memory_limit("1.5GB") == 1_500_000_000
    assert memory_limit("512mib") == 2**29
    assert memory_limit(2**30) == 2**30
    assert memory_limit(None) >= 2**29


def test_free_memory_and_disk_are_known(tmp_path: Path) -> None:
    assert free_memory() > 0
    assert free_disk(tmp_path) > 0
