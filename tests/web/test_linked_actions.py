"""What a click does with several tables."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from microveil.errors import InputError
from microveil.linked import LinkedRecipe
from microveil.web import linked_actions
from tests.web.drawing import paper
from tests.web.pages.test_linked import opened


def test_one_file_of_text_is_not_several_tables(tmp_path: Path) -> None:
    session = paper(tmp_path, name="linked", empty=True).session
    with pytest.raises(InputError, match="packed folder"):
        linked_actions.take_tables(session, tmp_path / "x.csv", "x.csv")
    with pytest.raises(InputError, match="Open several tables first"):
        linked_actions.run(session, "csv")


def test_other_tables_wipe_those_before_and_what_was_made_of_them(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.mkdir()
    second.mkdir()
    session = opened(first).session
    linked_actions.run(session, "csv")
    before = session.linked
    assert before is not None
    assert before.target is not None
    source = opened(second).session.linked
    assert source is not None
    packed = shutil.make_archive(str(second / "again"), "zip", source.folder)
    assert before.folder.exists()
    linked_actions.open_tables(session, Path(packed), "again.zip")
    assert session.notice is not None  # no tables of a kind that can be read: what is open stays
    assert session.linked is before
    before.wipe()
    assert not before.folder.exists()
    assert not before.target.exists()


def test_a_recipe_cannot_name_files_of_the_server(tmp_path: Path) -> None:
    session = opened(tmp_path).session
    assert session.linked is not None
    raw = session.linked.draft.recipe().to_dict() | {"keys": "pseudonymize", "key_file": "/etc/x"}
    linked_actions.run(session, "csv", LinkedRecipe.parse(raw))
    assert session.notice is not None
    assert "key_file" in session.notice.text
    assert session.linked.made is None
