from __future__ import annotations

import os
from pathlib import Path

import pytest

from microveil.cores import machine


def grouped(
    folder: Path, monkeypatch: pytest.MonkeyPatch, groups: str, files: dict[str, str]
) -> None:
    """Control groups as in a container: what /proc says, and the files below /sys."""
    own = folder / "own"
    own.write_text(groups)
    for name, text in files.items():
        path = folder / "groups" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(machine, "OWN_GROUPS", own)
    monkeypatch.setattr(machine, "CGROUPS", folder / "groups")


@pytest.mark.parametrize(
    ("groups", "files", "quota"),
    [
        ("0::/\n", {"cpu.max": "250000 100000\n"}, 2.5),
        ("0::/\n", {"cpu.max": "max 100000\n"}, None),
        ("0::/a/b\n", {"a/b/cpu.max": "max 100000", "a/cpu.max": "300000 100000"}, 3),
        ("0::/a/b\n", {"a/b/cpu.max": "100000 100000", "a/cpu.max": "300000 100000"}, 1),
        (
            "4:cpu,cpuacct:/job\n2:memory:/\n",
            {"cpu/job/cpu.cfs_quota_us": "150000", "cpu/job/cpu.cfs_period_us": "100000"},
            1.5,
        ),
        (
            "4:cpu:/\n",
            {"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"},
            None,
        ),
        ("0::/\n", {"cpu.max": "garbage\n"}, None),
    ],
)
def test_the_quota_of_every_group_above_counts(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    groups: str,
    files: dict[str, str],
    quota: float | None,
) -> None:
    grouped(tmp_path, monkeypatch, groups, files)
    assert machine.container_quota() == quota


def test_a_fraction_of_a_core_is_one_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grouped(tmp_path, monkeypatch, "0::/\n", {"cpu.max": "50000 100000"})
    assert machine.usable_cores() == 1


def test_no_quota_leaves_the_affinity_mask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "OWN_GROUPS", tmp_path / "missing")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5}, raising=False)
    assert machine.usable_cores() == 3


def test_without_masks_all_cores_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(machine, "OWN_GROUPS", tmp_path / "missing")
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    assert machine.usable_cores() == 6
