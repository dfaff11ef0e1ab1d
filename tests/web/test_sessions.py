"""Sessions are apart, limited, and leave nothing behind."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import polars as pl
import pytest

from microveil.errors import InputError
from microveil.web.jobs import Workers
from microveil.web.project.states import read_frame, write_frame
from microveil.web.sessions import Sessions


@pytest.fixture
def sessions() -> Iterator[Sessions]:
    found = Sessions(Workers(), most=2)
    yield found
    found.close()


def test_sessions_have_folders_of_their_own_that_nobody_else_reads(sessions: Sessions) -> None:
    first, second = sessions.new(), sessions.new()
    assert first.folder != second.folder
    for session in (first, second):
        assert stat.S_IMODE(session.folder.stat().st_mode) == 0o700
    assert sessions.get(first.id) is first
    assert sessions.get("guessed") is None
    assert sessions.get(None) is None


def test_there_is_a_limit_of_sessions(sessions: Sessions) -> None:
    sessions.new()
    sessions.new()
    with pytest.raises(InputError, match="Too many"):
        sessions.new()


def test_an_idle_session_is_freed_and_its_files_are_wiped(sessions: Sessions) -> None:
    session = sessions.new()
    (session.folder / "data.arrow").write_text("confidential", encoding="utf-8")
    session.seen = monotonic() - sessions.idle - 1
    sessions.free_idle()
    assert len(sessions) == 0
    assert not session.folder.exists()


def test_closing_wipes_everything(sessions: Sessions) -> None:
    session = sessions.new()
    (session.folder / "data.arrow").write_text("confidential", encoding="utf-8")
    sessions.close()
    assert not sessions.root.exists()


def test_an_address_to_fetch_a_file_cannot_be_guessed(sessions: Sessions) -> None:
    session = sessions.new()
    path = session.folder / "a.csv"
    first, second = session.offer(path, "a.csv"), session.offer(path, "a.csv")
    assert first != second
    assert len(first) > 30


def test_what_is_left_of_other_data_is_wiped(sessions: Sessions) -> None:
    session = sessions.new()
    kept, gone = session.folder / "new.arrow", session.folder / "old.outcome"
    for path in (kept, gone):
        path.write_text("confidential", encoding="utf-8")
    (session.folder / "released").mkdir()
    session.offer(gone, "old.csv")
    session.wipe_but(kept, None)
    assert list(session.folder.iterdir()) == [kept]
    assert session.downloads == {}


def test_what_a_killed_server_left_is_removed_by_the_next(sessions: Sessions) -> None:
    session = sessions.new()
    (session.folder / "data.arrow").write_text("confidential", encoding="utf-8")
    for scratch in sessions._scratch:
        scratch.release()  # as the system does when a process is killed
    Sessions(Workers()).close()
    assert not sessions.root.exists()


def test_a_server_leaves_the_files_of_another_that_lives(sessions: Sessions) -> None:
    session = sessions.new()
    Sessions(Workers()).close()
    assert session.folder.exists()


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="the system lists no mappings")
def test_after_the_end_no_table_stays_mapped(sessions: Sessions) -> None:
    session = sessions.new()
    path = session.folder / "data.arrow"
    write_frame(pl.DataFrame({"n": range(100_000)}), path)
    session.forms["frame"] = read_frame(path)
    assert str(path) in Path("/proc/self/maps").read_text(encoding="utf-8")
    sessions.end(session.id)
    assert str(path) not in Path("/proc/self/maps").read_text(encoding="utf-8")
    assert not session.forms
