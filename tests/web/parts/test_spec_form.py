"""A form has a field for every parameter, and notes what is typed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from microveil.methods import Generalize, LocalSuppression, Mondrian, RankSwap
from microveil.web.parts.spec_fields import fields_of
from microveil.web.parts.spec_form import spec_form
from tests.web.drawing import Drawn, drawn, paper


def form_of(folder: Path, spec: Any, typed: dict[str, Any]) -> Drawn:
    page = paper(folder)
    return drawn(lambda: spec_form(page, spec, typed, page.project.frame.columns))


def test_every_parameter_can_be_typed(tmp_path: Path) -> None:
    found = form_of(tmp_path, RankSwap, {})
    for field in fields_of(RankSwap):
        n_fields = 4 if field.kind == "columns" else 1
        keys = [key for key in found.keys if f"{key} ".startswith(f"form {field.name} ")]
        assert len(keys) == n_fields, field.name


def test_what_is_typed_is_noted_and_shown_again(tmp_path: Path) -> None:
    typed: dict[str, Any] = {}
    found = form_of(tmp_path, Mondrian, typed)
    found.enter("form k", "5")
    found.enter("form mode", "relaxed")
    found.enter("form columns age", value=True)
    found.enter("form columns sex", value=True)
    found.enter("form columns age", value=False)
    assert (typed["k"], typed["mode"], typed["columns"]) == ("5", "relaxed", ["sex"])
    again = form_of(tmp_path, Mondrian, typed)
    assert again.shown("form k") == "5"
    assert again.shown("form mode") == "relaxed"
    assert again.shown("form columns sex") == "true"
    assert again.by_key("form k").props["type"] == "number"


def test_values_by_column_have_a_field_for_each_key(tmp_path: Path) -> None:
    typed: dict[str, Any] = {}
    found = form_of(tmp_path, LocalSuppression, typed)
    found.enter("form importance age", "2")
    assert typed["importance"] == {"age": "2"}


def test_another_column_begins_another_hierarchy(tmp_path: Path) -> None:
    typed: dict[str, Any] = {"column": "age"}
    found = form_of(tmp_path, Generalize, typed)
    assert typed["draft"]
    found.enter("form column", "sex")
    assert typed["column"] == "sex"
    assert "draft" not in typed
    assert "hierarchy" not in typed
    form_of(tmp_path, Generalize, typed)
    assert typed["hierarchy"] == {"hierarchy": "tree", "tree": {"f": ["f"], "m": ["m"]}}
