from __future__ import annotations

import polars as pl

import microveil as mv
from microveil.app.labelling import resolve_labels
from microveil.methods import SetMissing

LABELS = mv.Labels(values={"a": {8: "Don't know", 1: "yes"}, "b": {98: "don't know"}})


def test_set_missing_may_name_codes_by_their_label() -> None:
    step = SetMissing(columns=["a", "b", "c"], values=["Don't know", -1])
    found = resolve_labels(mv.Recipe(steps=[step]), LABELS).steps
    told = [(one.columns, one.values[2:]) for one in found if isinstance(one, SetMissing)]
    assert told == [(("c",), ()), (("a",), (8,)), (("b",), (98,))]


def test_a_run_with_labels_makes_named_codes_missing() -> None:
    frame = pl.DataFrame({"a": [8, 1, 1], "b": [98, 2, 2]})
    roles = mv.Roles(quasi_identifiers=["a"], insensitive=["b"])
    step = SetMissing(columns=["a", "b"], values=["Don't know"])
    release = mv.run(mv.Recipe(roles=roles, steps=[step]), frame, labels=LABELS)
    assert release.data.null_count().row(0) == (1, 1)


def test_a_recipe_that_names_no_label_stays_the_same() -> None:
    recipe = mv.Recipe(steps=[SetMissing(columns=["a"], values=[9])])
    assert resolve_labels(recipe, LABELS) is recipe
