"""A memory limit is read as people write it, and must leave room to work."""

from __future__ import annotations

from pathlib import Path

import pytest

from microveil.errors import InputError
from microveil.planning import memory
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


def test_a_full_machine_leaves_the_least_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 0)
    assert memory_limit(None) == 2**29


def test_free_memory_and_disk_are_known(tmp_path: Path) -> None:
    assert free_memory() > 0
    assert free_disk(tmp_path) > 0


@pytest.mark.parametrize(
    ("allowed", "used", "free"),
    [
        ("3000", "1000", 2000),
        ("1000", "3000", 0),
        ("max", "1000", 8 * 1024),
        ("10000000", "0", 8192),
    ],
)
def test_a_container_has_what_it_may_use_less_what_it_uses(
    allowed: str, used: str, free: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {
        "/proc/meminfo": "MemTotal: 16 kB\nMemAvailable: 8 kB\n",
        "/sys/fs/cgroup/memory.max": f"{allowed}\n",
        "/sys/fs/cgroup/memory.current": f"{used}\n",
    }
    monkeypatch.setattr(Path, "read_text", lambda path, **_: texts[str(path)])
    assert free_memory() == free
