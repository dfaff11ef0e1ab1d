"""A memory limit is read as people write it, and must leave room to work."""

from __future__ import annotations

from pathlib import Path

import pytest

from microveil.errors import InputError
from microveil.planning import memory
from microveil.planning.memory import free_disk, free_memory, memory_limit, most_memory


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


NEW = ("memory.max", "memory.current", "inactive_file")
OLD = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with 16 GiB, of which 8 are free; its files are in a folder."""
    file = tmp_path / "meminfo"
    file.write_text(f"MemTotal: {16 * 2**20} kB\nMemAvailable: {8 * 2**20} kB\n")
    monkeypatch.setattr(memory, "MACHINE", file)
    monkeypatch.setattr(memory, "CGROUPS", tmp_path)
    monkeypatch.setattr(memory, "OWN_GROUPS", tmp_path / "own")
    return tmp_path


def group(folder: Path, names: tuple[str, str, str], limit: str, used: int, cached: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / names[0]).write_text(f"{limit}\n")
    (folder / names[1]).write_text(f"{used}\n")
    (folder / "memory.stat").write_text(f"anon 1\n{names[2]} {cached}\n")


@pytest.mark.parametrize(
    ("told", "free", "most"),
    [
        ((str(4 * 2**30), 2**30, 0), 3 * 2**30, 4 * 2**30),
        ((str(4 * 2**30), 2**30, 2**29), 3 * 2**30 + 2**29, 4 * 2**30),
        (("1000", 3000, 0), 0, 1000),
        (("max", 1000, 0), 8 * 2**30, 16 * 2**30),
    ],
)
@pytest.mark.parametrize(("names", "inside"), [(NEW, ""), (OLD, "memory")])
def test_a_container_has_what_it_may_use_less_what_it_uses(
    machine: Path,
    names: tuple[str, str, str],
    inside: str,
    told: tuple[str, int, int],
    free: int,
    most: int,
) -> None:
    group(machine / inside, names, *told)
    assert (free_memory(), most_memory()) == (free, most)


def test_the_narrowest_of_nested_groups_counts(machine: Path) -> None:
    (machine / "own").write_text("3:cpu:/x\n1:name=systemd:/\n0::/pods/one\n")
    group(machine, NEW, "max", 0, 0)
    group(machine / "pods", NEW, str(2 * 2**30), 2**30, 0)
    group(machine / "pods" / "one", NEW, str(3 * 2**30), 0, 0)
    assert (free_memory(), most_memory()) == (2**30, 2 * 2**30)


def test_a_limit_beyond_the_container_is_that_of_the_container(machine: Path) -> None:
    group(machine, NEW, str(2**30), 0, 0)
    assert memory_limit("4GiB") == 2**30
    assert memory_limit("600MiB") == 600 * 2**20
