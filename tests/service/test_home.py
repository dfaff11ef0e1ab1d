from __future__ import annotations

import stat
from pathlib import Path

import pytest

from microveil.errors import FileError, SecretError
from microveil.service.home import SECRET_VARIABLE, Home


@pytest.fixture(autouse=True)
def _no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SECRET_VARIABLE, raising=False)


def test_a_secret_is_made_once_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    with pytest.raises(SecretError, match="no secret of 32 bytes"):
        home.secret()
    made = home.secret(create=True)
    assert len(made) >= 32
    assert home.secret() == home.secret(create=True) == made
    mode = stat.S_IMODE((tmp_path / "home" / "secret").stat().st_mode)
    assert mode == 0o600
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700


def test_the_environment_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECRET_VARIABLE, "x" * 32)
    assert Home(tmp_path).secret(create=True) == b"x" * 32
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv(SECRET_VARIABLE, "short")
    with pytest.raises(SecretError) as told:
        Home(tmp_path).secret()
    assert "short" not in str(told.value)


def test_the_ledger_is_a_file_in_the_folder_unless_named(tmp_path: Path) -> None:
    assert Home(tmp_path).url == f"sqlite:///{tmp_path.resolve()}/ledger.db"
    assert Home(tmp_path, "sqlite:///other.db").url == "sqlite:///other.db"
    with Home(tmp_path / "new").open(create=True):
        pass
    assert (tmp_path / "new" / "ledger.db").exists()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(FileError, match="cannot be created"):
        Home(tmp_path / "file" / "home").open(create=True)
