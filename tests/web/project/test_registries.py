"""Registries in the app: opened by name, looked at, and never by others' names."""

from __future__ import annotations

from pathlib import Path

import pytest

from microveil.errors import InputError, MicroveilError
from microveil.progress import silent
from microveil.web.project.registries import RegistryPlace, RegistryUse, check_place, look


def test_a_registry_is_created_with_its_key(tmp_path: Path) -> None:
    place = RegistryPlace(str(tmp_path / "r.db"), str(tmp_path / "r.key"))
    view = look(place, create=True, progress=silent)
    assert view.intact
    assert view.entries == ()
    assert (tmp_path / "r.key").stat().st_mode & 0o077 == 0
    assert look(place, create=False, progress=silent) == view


def test_a_registry_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(MicroveilError, match="There is no registry"):
        look(RegistryPlace(str(tmp_path / "x.db")), create=False, progress=silent)
    with pytest.raises(InputError, match="Name the file"):
        RegistryPlace("  ").open()


def test_only_people_of_this_machine_name_a_registry() -> None:
    with pytest.raises(InputError, match="Whoever runs this app"):
        check_place(RegistryPlace("r.db"), local=False)
    check_place(RegistryPlace("r.db"), local=True)


def test_a_password_in_an_address_is_not_shown() -> None:
    use = RegistryUse(RegistryPlace("postgresql://ann:secret@host/r"))
    assert "secret" not in repr(use)
