"""Files that appear together, or not at all."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from microveil.errors import FileError
from microveil.files import read, write
from microveil.files.atomic import replacing
from microveil.files.placing import Placing
from microveil.files.writing import Terms

FRAME = pl.DataFrame({"x": [1, 2, 3], "s": ["a", "b", "c"]})


def _old(path: Path) -> Path:
    path.write_bytes(b"old")
    return path


def test_all_files_appear_together(tmp_path: Path) -> None:
    with Placing() as placing:
        placing.file(tmp_path / "a.txt").write_text("a")
        write(FRAME, tmp_path / "b.csv", terms=Terms(placing))
        assert not (tmp_path / "a.txt").exists()
        assert not (tmp_path / "b.csv").exists()
    assert sorted(item.name for item in tmp_path.iterdir()) == ["a.txt", "b.csv"]


def test_a_failure_places_none_of_them(tmp_path: Path) -> None:
    old = _old(tmp_path / "a.txt")

    def work() -> None:
        with Placing() as placing:
            placing.file(old).write_text("new")
            write(FRAME, tmp_path / "b.csv", terms=Terms(placing))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        work()
    assert list(tmp_path.iterdir()) == [old]
    assert old.read_bytes() == b"old"


@pytest.mark.parametrize("links", ["links", "no links"])
def test_what_was_placed_goes_back_when_a_later_one_cannot_be(
    links: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = _old(tmp_path / "a.txt"), tmp_path / "sub" / "b.txt"
    second.parent.mkdir()
    if links == "no links":

        def refused(*_: object) -> None:
            raise OSError

        monkeypatch.setattr(Path, "hardlink_to", refused)

    def work() -> None:
        with Placing() as placing:
            placing.file(first).write_text("new")
            placing.file(tmp_path / "fresh.txt").write_text("new")
            placing.file(second).write_text("new")
            second.mkdir()  # somebody puts a folder where the file should go

    with pytest.raises(FileError, match=r"b\.txt cannot be written"):
        work()
    assert first.read_bytes() == b"old"
    assert sorted(item.name for item in tmp_path.iterdir()) == ["a.txt", "sub"]


def test_a_table_of_a_database_is_not_committed_when_a_file_cannot_be_placed(
    tmp_path: Path,
) -> None:
    base, other = tmp_path / "p.db", tmp_path / "sub" / "b.txt"
    other.parent.mkdir()
    write(FRAME, base, table="t")

    def work() -> None:
        with Placing() as placing:
            terms = Terms(placing, checked=True)
            write(FRAME.head(1), base, table="t", replace=True, terms=terms)
            write(FRAME.head(1), base, table="u", terms=terms)
            placing.file(other).write_text("new")
            other.mkdir()

    with pytest.raises(FileError):
        work()
    assert read(base, table="t").height == 3
    with pytest.raises(FileError, match="No table 'u'"):
        read(base, table="u")


@pytest.mark.parametrize("name", ["p.db", "p.duckdb"])
def test_two_tables_of_one_database_are_written_in_one_transaction(
    name: str, tmp_path: Path
) -> None:
    with Placing() as placing:
        terms = Terms(placing, checked=True)
        write(FRAME, tmp_path / name, table="t", terms=terms)
        write(FRAME.head(1), tmp_path / name, table="u", terms=terms)
    assert read(tmp_path / name, table="t").height == 3
    assert read(tmp_path / name, table="u").height == 1
    assert [item.name for item in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("links", ["links", "no links"])
@pytest.mark.parametrize("name", ["p.db", "p.duckdb"])
def test_of_two_makers_of_one_database_the_later_harms_nothing(
    name: str, links: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    if links == "no links":

        def refused(*_: object) -> None:
            raise OSError

        monkeypatch.setattr(Path, "hardlink_to", refused)

    def late() -> None:
        with Placing() as placing:
            write(FRAME.head(1), path, table="mine", terms=Terms(placing))
            write(FRAME, path, table="theirs")

    with pytest.raises(FileError, match="created by another program meanwhile"):
        late()
    assert read(path).height == 3
    assert [item.name for item in tmp_path.iterdir()] == [name]


def test_a_file_and_its_folder_are_flushed_before_and_after_it_is_placed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed = []

    def seen(path: Path) -> None:
        flushed.append((path.is_dir(), (tmp_path / "t.txt").exists()))

    monkeypatch.setattr("microveil.files.placing._flush", seen)
    with replacing(tmp_path / "t.txt") as scratch:
        scratch.write_text("x")
    assert flushed == [(False, False), (True, True)]


def _fails_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the move of a finished file to this target fail, as on a full or lost disk."""
    move = Path.replace

    def failing(source: Path, target: Path) -> Path:
        if Path(target) == path:
            raise OSError(28, "No space left on device")
        return move(source, target)

    monkeypatch.setattr(Path, "replace", failing)


@pytest.mark.parametrize("before", ["an old file", "nothing"])
def test_of_two_files_the_first_goes_back_if_the_second_cannot_be_moved(
    before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "a.txt", _old(tmp_path / "b.txt")
    if before == "an old file":
        _old(first)
    _fails_for(second, monkeypatch)

    def work() -> None:
        with Placing() as placing:
            placing.file(first).write_text("new")
            placing.file(second).write_text("new")

    with pytest.raises(FileError, match=r"b\.txt"):
        work()
    left = {item.name: item.read_bytes() for item in tmp_path.iterdir()}
    assert left == {
        name: b"old" for name in ("a.txt", "b.txt") if before != "nothing" or name == "b.txt"
    }


def test_a_file_goes_back_if_the_transaction_beside_it_cannot_be_committed(tmp_path: Path) -> None:
    class Refusing:
        def commit(self) -> None:
            raise FileError("The server has gone.")

        def close(self) -> None:
            pass

    target = _old(tmp_path / "a.txt")

    def work() -> None:
        with Placing() as placing:
            placing.file(target).write_text("new")
            placing.server_session("server", Refusing)  # type: ignore[arg-type]  # all it needs

    with pytest.raises(FileError, match="has gone"):
        work()
    assert {item.name: item.read_bytes() for item in tmp_path.iterdir()} == {"a.txt": b"old"}


def test_one_file_alone_needs_no_copy_of_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is replaced in one move, which the file system does whole or not at all."""
    links: list[Path] = []
    monkeypatch.setattr(Path, "hardlink_to", lambda path, _: links.append(path))
    with Placing() as placing:
        placing.file(_old(tmp_path / "a.txt")).write_text("new")
    assert links == []
    assert (tmp_path / "a.txt").read_bytes() == b"new"


class _Witness:
    """Notes what it is told, and may refuse to begin."""

    def __init__(self, told: list[str], name: str, *, refuses: bool = False) -> None:
        self.told, self.name, self.refuses = told, name, refuses

    def begin(self) -> None:
        if self.refuses:
            raise FileError("The registry is locked.")
        self.told.append(f"{self.name} began")

    def finish(self) -> None:
        self.told.append(f"{self.name} finished")

    def withdraw(self) -> None:
        self.told.append(f"{self.name} withdrew")


@pytest.mark.parametrize("fails", ["nothing", "the file", "the last witness"])
def test_witnesses_withdraw_what_they_began_if_anything_fails(
    fails: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    target = _old(tmp_path / "a.csv")
    before = target.read_bytes()
    if fails == "the file":
        _fails_for(target, monkeypatch)

    def place() -> None:
        with Placing() as placing:
            placing.file(target).write_text("new")
            placing.tell(_Witness(told, "first"))
            placing.tell(_Witness(told, "last", refuses=fails == "the last witness"))

    if fails == "nothing":
        place()
        assert told == ["first began", "last began", "first finished", "last finished"]
        return
    with pytest.raises(FileError):
        place()
    begun = ["first"] if fails == "the last witness" else ["first", "last"]
    assert told == [f"{name} began" for name in begun] + [f"{name} withdrew" for name in begun]
    assert target.read_bytes() == before


@pytest.mark.parametrize("mode", [0o640, 0o1604])
def test_a_replaced_file_keeps_its_permissions_and_a_new_one_gets_those_of_its_folder(
    mode: int, tmp_path: Path
) -> None:
    old, usual = _old(tmp_path / "a.txt"), tmp_path / "usual.txt"
    usual.touch()
    old.chmod(mode)
    with Placing() as placing:
        placing.file(old).write_text("new")
        placing.file(tmp_path / "b.txt").write_text("new")
    modes = [path.stat().st_mode & 0o7777 for path in (old, tmp_path / "b.txt")]
    assert modes == [mode, usual.stat().st_mode & 0o7777]
