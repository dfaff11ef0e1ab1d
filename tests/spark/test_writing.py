"""Workers that are killed and disks that are full: the same rows, or nothing, and never half."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from microveil.errors import InputError
from microveil.spark.session import check_installed, check_java
from tests.planning.test_parts_equal_whole import people

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

PROGRAM = """
import sys, time
import microveil as mv
from microveil.spark import run_on_spark, spark_session
source, out, mark = sys.argv[1:]
session = spark_session("local[2]")
recipe = mv.Recipe.parse({
    "roles": {"quasi_identifiers": ["age", "sex", "town"], "insensitive": ["ill", "name", "pay"]},
    "steps": [
        {"method": "pram", "columns": ["town"], "retention": 0.8},
        {"method": "suppress_records", "k": 3},
    ],
    "require": [{"model": "k_anonymity", "k": 3}],
})
frame = session.read.parquet(source).select("name", "age", "sex", "town", "ill", "pay")
release = run_on_spark(recipe, frame.repartition(12, "name"), seed=5)
open(mark, "w").close()
release.write(out)
session.stop()
"""


@pytest.fixture(autouse=True)
def java() -> None:
    try:
        check_installed()
        check_java()
    except InputError as error:
        pytest.skip(str(error))


def start(source: Path, out: Path, mark: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", PROGRAM, str(source), str(out), str(mark)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603  ourselves


def python_workers(pid: int) -> list[int]:
    """Processes of Spark's Python workers below a process; their parent is the daemon."""
    parents, commands = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int(
                    (entry / "stat").read_text().rsplit(")", 1)[1].split()[1]
                )
                commands[int(entry.name)] = (entry / "cmdline").read_text()
            except OSError:
                continue

    def below(one: int) -> bool:
        while one in parents and one != pid:
            one = parents[one]
        return one == pid

    daemons = {one for one, told in commands.items() if "pyspark.daemon" in told and below(one)}
    return [one for one in daemons if parents[one] in daemons]


def rows(folder: Path) -> pl.DataFrame:
    return pl.read_parquet(folder / "*.parquet").sort(pl.all())


def test_a_killed_python_worker_costs_time_and_no_row(tmp_path: Path) -> None:
    source, mark = tmp_path / "people.parquet", tmp_path / "mark"
    people(60_000).write_parquet(source)
    quiet = start(source, tmp_path / "quiet", mark)
    assert quiet.wait(timeout=600) == 0
    mark.unlink()
    run, killed = start(source, tmp_path / "out", mark), 0
    while run.poll() is None:
        if mark.exists() and killed < 3:  # a task is tried four times
            for worker in python_workers(run.pid)[:1]:
                os.kill(worker, signal.SIGKILL)
                killed += 1
        time.sleep(0.2)
    assert killed
    assert run.returncode == 0
    assert rows(tmp_path / "out").equals(rows(tmp_path / "quiet"))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:  # noqa: S603  a fixed command
        pytest.skip("A small file system cannot be mounted here.")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S603, S607  a fixed command


def test_a_full_disk_leaves_nothing(tmp_path: Path, small_disk: Path) -> None:
    source = tmp_path / "people.parquet"
    people(200_000).write_parquet(source)
    run = start(source, small_disk / "out", tmp_path / "mark")
    assert run.wait(timeout=600) != 0
    assert list(small_disk.iterdir()) == []


def test_a_full_disk_leaves_nothing_of_a_run_in_parts(tmp_path: Path, small_disk: Path) -> None:
    import microveil as mv

    source, out = tmp_path / "people.parquet", small_disk / "out.parquet"
    people(200_000).write_parquet(source)
    steps = [mv.Drop(columns=["age"])]
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["sex"]), steps=steps, undeclared="keep")
    with pytest.raises(mv.MicroveilError, match=r"disk|space"):
        mv.run_file(recipe, source, out, in_parts=True, seed=1)
    assert list(small_disk.iterdir()) == []
