from __future__ import annotations

import sys

import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.tables.arrow_package import need_arrow


def test_what_needs_arrow_says_which_extra_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"microveil\[arrow\]"):
        need_arrow()


def test_a_release_is_handed_out_without_arrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    people = {"age": [31, None, 45], "town": ["Lugo", "Vigo", None]}
    data = mv.run(mv.Recipe(undeclared="keep"), people, seed=1).data
    assert data.rows() == [(31, "Lugo"), (None, "Vigo"), (45, None)]
