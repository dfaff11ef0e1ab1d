from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from microveil.files import write
from microveil.files.placing import Placing
from microveil.files.scratch import Scratch, scratch_file, scratch_folder, sweep

FRAME = pl.DataFrame({"x": [1, 2, 3], "s": ["a", "b", "c"]})


def _old(path: Path) -> Path:
    path.write_bytes(b"old")
    return path


def test_scratch_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    old = os.umask(0o002)
    try:
        with Placing() as placing:
            scratch = placing.file(tmp_path / "t.csv")
            folder = placing.folder(tmp_path / "t.csv")
            assert scratch.stat().st_mode & 0o777 == 0o600
            assert folder.stat().st_mode & 0o777 == 0o700
        assert (tmp_path / "t.csv").stat().st_mode & 0o777 == 0o664
        with Placing() as placing:
            placing.file(tmp_path / "secret.csv", private=True)
        assert (tmp_path / "secret.csv").stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(old)


def test_a_scratch_file_is_never_one_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = _old(tmp_path / ".t.csv.00000000.partial")
    monkeypatch.setattr("microveil.files.scratch.secrets.token_hex", lambda _: "00000000")
    monkeypatch.setattr("microveil.files.scratch.sweep", lambda _: 0)
    listed: list[Scratch] = []
    with pytest.raises(FileExistsError):
        scratch_file(tmp_path / "t.csv", listed)
    assert not listed
    assert taken.read_bytes() == b"old"


@pytest.mark.parametrize("when", ["_lock", "_still_there"])
def test_a_signal_right_after_a_scratch_file_was_made_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    def interrupted(*_: object, **__: object) -> bool:
        assert list(tmp_path.iterdir())
        raise KeyboardInterrupt

    monkeypatch.setattr(f"microveil.files.scratch.{when}", interrupted)
    with pytest.raises(KeyboardInterrupt), Placing() as placing:
        placing.file(tmp_path / "t.csv")
    assert not list(tmp_path.iterdir())


def test_the_next_run_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    program = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from microveil.files.placing import Placing\n"
        "placing = Placing().__enter__()\n"
        "placing.file(Path(sys.argv[1])).write_text('secret')\n"
        "(placing.folder(Path(sys.argv[1])) / 'more').write_text('secret')\n"
        "print('there', flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        # While it lives, its scratch files are its own.
        write(FRAME, path)
        assert len(list(tmp_path.glob(".t.csv.*.partial"))) == 2
        process.kill()
    time.sleep(0.1)
    other = _old(tmp_path / ".other.csv.00000000.partial")
    write(FRAME, path)
    assert sorted(item.name for item in tmp_path.iterdir()) == [other.name, "t.csv"]


def test_only_strays_of_the_target_are_swept(tmp_path: Path) -> None:
    mine = scratch_folder(tmp_path / "t.csv", [])
    _old(tmp_path / ".t.csv.0123abcd.partial")
    _old(tmp_path / ".t.csv.partial")
    assert sweep(tmp_path / "t.csv") == 1
    assert mine.path.is_dir()
    mine.remove()
    assert [item.name for item in tmp_path.iterdir()] == [".t.csv.partial"]
