from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from microveil.errors import FileError
from microveil.files import BatchWriter, read, write
from microveil.files.atomic import replacing

NAMES = ["t.csv", "t.parquet", "t.xlsx", "t.jsonl", "t.sav", "t.dta", "t.csv.gz"]
FRAME = pl.DataFrame({"x": [1, 2, 3], "s": ["a", "b", "c"]})


def _with_old_file(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_bytes(b"the old file")
    return path


def _half_written(path: Path, failure: type[BaseException]) -> None:
    with replacing(path) as partial:
        partial.write_bytes(b"half")
        raise failure


def _interrupted(path: Path) -> None:
    with BatchWriter(path) as writer:
        writer.append(FRAME)
        raise KeyboardInterrupt


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt, MemoryError])
def test_a_failure_keeps_the_old_file_and_leaves_nothing(
    failure: type[BaseException], tmp_path: Path
) -> None:
    path = _with_old_file(tmp_path, "t.csv")
    with pytest.raises(failure):
        _half_written(path, failure)
    assert path.read_bytes() == b"the old file"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", NAMES)
def test_a_failure_between_two_batches_leaves_nothing(name: str, tmp_path: Path) -> None:
    path = _with_old_file(tmp_path, name)
    with pytest.raises(KeyboardInterrupt):
        _interrupted(path)
    assert path.read_bytes() == b"the old file"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", NAMES)
def test_a_full_disk_is_said_and_the_old_file_stands(name: str, tmp_path: Path) -> None:
    path = _with_old_file(tmp_path, name)
    frame = pl.DataFrame({"x": range(60_000), "s": [f"{n * 7919}" for n in range(60_000)]})
    # The system refuses to let a file grow, as a full disk would.
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, old[1]))
    try:
        with pytest.raises(FileError, match="cannot be written"):
            write(frame, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)
    assert path.read_bytes() == b"the old file"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.ENOSPC, "the disk is full"), (errno.EACCES, "you may not write there")],
)
def test_the_reason_is_said_in_words(number: int, words: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=words), replacing(tmp_path / "t.csv"):
        raise OSError(number, os.strerror(number))


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode:  # noqa: S603 - a fixed command
        pytest.skip("a small disk can be mounted by root only")
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_a_really_full_disk_is_said(name: str, tiny_disk: Path) -> None:
    frame = pl.DataFrame({"x": range(100_000), "s": [f"{n * 7919}" for n in range(100_000)]})
    try:
        with pytest.raises(FileError, match=r"cannot be written: .*(full|No space)"):
            write(frame, tiny_disk / name)
        assert list(tiny_disk.iterdir()) == []
    finally:
        subprocess.run(["umount", str(tiny_disk)], check=True)  # noqa: S603, S607 - mounted above


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.xlsx", "t.sav"])
def test_a_killed_writer_leaves_the_old_file(name: str, tmp_path: Path) -> None:
    path = _with_old_file(tmp_path, name)
    program = (
        "import sys, time, polars as pl\n"
        "from microveil.files import BatchWriter\n"
        "with BatchWriter(sys.argv[1]) as writer:\n"
        "    for _ in range(10_000):\n"
        "        writer.append(pl.DataFrame({'x': range(1000)}))\n"
        "        print('going', flush=True)\n"
        "        time.sleep(0.01)\n"
    )
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"going\n"
        time.sleep(0.05)
        process.kill()
    assert path.read_bytes() == b"the old file"
    left = {item.name for item in tmp_path.iterdir()} - {name}
    assert left
    assert all(item.startswith(f".{name}.") and item.endswith(".partial") for item in left)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "t.csv").mkdir()
    with pytest.raises(FileError, match="is a folder"):
        write(FRAME, tmp_path / "t.csv")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no folder"):
        write(FRAME, tmp_path / "no" / "t.csv")


def test_a_device_is_never_replaced() -> None:
    with pytest.raises(FileError, match="device or a pipe"):
        write(FRAME, "/dev/null", format="csv")
    assert Path("/dev/null").is_char_device()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    tmp_path.chmod(0o500)
    with pytest.raises(FileError, match="you may not write there"):
        write(FRAME, tmp_path / "t.csv")


def test_a_link_keeps_pointing_to_the_new_file(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "t.csv"
    link.symlink_to(tmp_path / "real" / "t.csv")
    write(FRAME, link)
    assert link.is_symlink()
    assert read(tmp_path / "real" / "t.csv").height == 3


def test_the_mode_follows_the_old_file_or_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    old = os.umask(0o027)
    try:
        write(FRAME, path)
    finally:
        os.umask(old)
    assert path.stat().st_mode & 0o777 == 0o640
    path.chmod(0o600)
    write(FRAME, path)
    assert path.stat().st_mode & 0o777 == 0o600
