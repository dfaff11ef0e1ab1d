"""Files that come in are looked at before anything reads them."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from microveil.errors import FileError, InputError
from microveil.web import receiving
from microveil.web.jobs import Workers
from microveil.web.receiving import refuse_bomb, safe_name, suffix_of
from microveil.web.sessions import Sessions, WebSession
from tests.web.loops import in_own_loop


class Sent:
    """A request whose body comes in parts."""

    def __init__(self, *parts: bytes, length: str = "") -> None:
        self.parts, self.headers = parts, {"content-length": length}

    async def stream(self) -> AsyncIterator[bytes]:
        for part in self.parts:
            yield part


@pytest.fixture
def session() -> Iterator[WebSession]:
    sessions = Sessions(Workers())
    yield sessions.new()
    sessions.close()


def _receive(
    session: WebSession, name: str, purpose: str, sent: Sent, largest: int = 10**6
) -> None:
    in_own_loop(receiving.receive_file(session, name, purpose, sent, largest))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../etc/passwd.csv", "passwd.csv"),
        ("C:\\Users\\me\\a.xlsx", "a.xlsx"),
        ("nul\x00l.csv", "null.csv"),
        ("...", "data"),
        ("", "data"),
        ("a" * 500 + ".csv", "a" * 196 + ".csv"),
    ],
)
def test_a_name_leads_nowhere_else(name: str, safe: str) -> None:
    assert safe_name(name) == safe


def test_a_kind_nobody_knows_is_refused_before_it_comes(session: WebSession) -> None:
    with pytest.raises(FileError, match="Known"):
        _receive(session, "virus.exe", "data", Sent(b"MZ"))
    assert list(session.folder.iterdir()) == []


def test_the_longest_suffix_tells_the_format() -> None:
    assert suffix_of("people.CSV.GZ") == ".csv.gz"


def test_a_file_that_is_too_large_is_refused_by_its_word_and_by_its_size(
    session: WebSession,
) -> None:
    with pytest.raises(FileError, match="larger"):
        _receive(session, "a.csv", "data", Sent(b"x", length="9999999"))
    with pytest.raises(FileError, match="larger"):
        _receive(session, "a.csv", "data", Sent(b"x" * 60, b"x" * 60), largest=100)
    assert list(session.folder.iterdir()) == []


def test_an_empty_file_is_refused(session: WebSession) -> None:
    with pytest.raises(FileError, match="empty"):
        _receive(session, "a.csv", "data", Sent())


def test_a_workbook_that_unpacks_to_far_more_is_refused(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/worksheets/sheet1.xml", b"0" * 50_000_000)
    with pytest.raises(FileError, match="unpack"):
        refuse_bomb(bomb)


@pytest.mark.parametrize("largest", [10**9, 10**6])
def test_text_that_unpacks_to_far_more_is_refused(tmp_path: Path, largest: int) -> None:
    bomb = tmp_path / "bomb.csv.gz"
    with gzip.open(bomb, "wb") as packed:
        packed.write(b"a,b\n" + b"0,0\n" * 75_000_000)
    with pytest.raises(FileError, match="unpack"):
        refuse_bomb(bomb, largest)


def test_packed_text_may_be_as_large_as_plain_text(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    with gzip.open(path, "wb") as packed:
        packed.write(b"a,b\n" + b"0,0\n" * 1_000_000)
    refuse_bomb(path, 10**7)


def test_damaged_packed_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" * 1000)[:-12])
    with pytest.raises(FileError, match="damaged"):
        refuse_bomb(path)


def test_a_small_parquet_file_of_very_many_rows_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import polars as pl

    path = tmp_path / "a.parquet"
    pl.DataFrame({"n": [0] * 5000, "m": [1] * 5000}).write_parquet(path)
    refuse_bomb(path)
    monkeypatch.setattr(receiving, "MOST_CELLS", 9_999)
    with pytest.raises(FileError, match="5,000 rows of 2 columns"):
        refuse_bomb(path)


def test_an_ordinary_workbook_passes(tmp_path: Path) -> None:
    import polars as pl

    path = tmp_path / "a.xlsx"
    pl.DataFrame({"n": list(range(20_000)), "same": ["x"] * 20_000}).write_excel(path)
    refuse_bomb(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"\xff\xfe\x00", "not text"),
        (b"{not json", "no JSON"),
        (b"- a\n- b\n", "neither a project nor a recipe"),
        (b"colour: red\n", "neither a project nor a recipe"),
        (b"steps: [{method: drop}]\n", "Field required"),
        (b"steps: [{method: generalize, column: a, level: 1, hierarchy: /etc/passwd}]", "no file"),
        (b"steps: [{method: pseudonymize, columns: [a], key_file: /etc/shadow}]", "no file"),
        (b"require: [{model: k_map, k: 5, population: /etc/passwd}]", "no file"),
    ],
)
def test_a_project_from_anywhere_is_checked(session: WebSession, text: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        _receive(session, "p.json", "project", Sent(text))
    assert list(session.folder.iterdir()) == []


def test_a_project_before_its_data_waits_for_them(session: WebSession) -> None:
    _receive(session, "r.yaml", "project", Sent(b"steps: [{method: drop, columns: [name]}]"))
    assert session.waiting is not None
    assert session.waiting.plan.items[0].step.kind() == "drop"


def test_a_hierarchy_as_in_arx_becomes_a_tree(session: WebSession) -> None:
    _receive(session, "h.csv", "hierarchy", Sent(b"f;person\nm;person\n"))
    assert session.imported == {"person": ["f", "m"]}
