"""Forms are read off the specs: every parameter can be typed, and comes back as it was."""

from __future__ import annotations

import re
from typing import Any

import pytest

from microveil.errors import InputError
from microveil.methods import (
    METHODS,
    Generalize,
    LocalSuppression,
    Mondrian,
    OptimalGeneralization,
    RankSwap,
)
from microveil.privacy import MODELS
from microveil.specs import Spec
from microveil.web.parts.spec_fields import NOT_ASKED, collect_values, fields_of, in_words, typed_of

ALL = [*METHODS, *MODELS]


@pytest.mark.parametrize("spec", ALL, ids=lambda spec: spec.kind())
def test_every_parameter_has_a_field_with_help_but_those_of_the_servers_machine(
    spec: type[Spec],
) -> None:
    fields = fields_of(spec)
    wanted = set(spec.model_fields) - {spec.tag} - NOT_ASKED
    assert {field.name for field in fields} == wanted
    assert all(field.help for field in fields)


@pytest.mark.parametrize(
    "step",
    [
        Mondrian(k=5, mode="relaxed"),
        LocalSuppression(k=3, importance={"age": 2.5}),
        RankSwap(columns=("cost",), range_share=0.1),
        Generalize(column="age", hierarchy={"hierarchy": "intervals", "width": 10}, level=1),
        METHODS.parse({"method": "pram", "columns": ["sex"], "retention": 0.8}),
        METHODS.parse({"method": "decompose", "groups": {"a": ["age"], "b": ["sex"]}}),
        METHODS.parse({"method": "top_bottom_code", "columns": ["cost"], "top": 500}),
        METHODS.parse({"method": "suppress_records", "k": "acceptable"}),
        METHODS.parse({"method": "set_missing", "columns": ["x"], "values": [-9, 1.5, 'a "b", c']}),
        METHODS.parse(
            {
                "method": "randomized_response",
                "columns": ["x"],
                "epsilon": 1,
                "categories": ["no", "1", "a, b"],
            }
        ),
    ],
    ids=lambda step: step.kind(),
)
def test_a_step_that_is_edited_and_not_changed_is_the_same_step(step: Spec) -> None:
    assert METHODS.parse(collect_values(type(step), typed_of(step))) == step


@pytest.mark.parametrize(
    ("typed", "raw"),
    [
        ({"k": "5"}, {"k": 5}),
        ({"k": " 7 ", "mode": "relaxed"}, {"k": 7, "mode": "relaxed"}),
        ({"k": ""}, {}),
        ({"k": "5", "columns": []}, {"k": 5}),
    ],
)
def test_what_is_typed_becomes_what_a_recipe_says(typed: dict[str, Any], raw: Any) -> None:
    assert collect_values(Mondrian, typed) == {"method": "mondrian", **raw}


def test_words_where_a_number_belongs_are_told() -> None:
    with pytest.raises(InputError, match="type a number"):
        collect_values(Mondrian, {"k": "five"})


def test_limits_of_numbers_are_known_to_the_form() -> None:
    fields = {field.name: field for field in fields_of(Mondrian)}
    assert (fields["k"].kind, fields["k"].lowest, fields["k"].required) == ("whole", 2.0, True)
    assert fields["mode"].options == ("strict", "relaxed")


@pytest.mark.parametrize("spec", ALL, ids=lambda spec: spec.kind())
def test_help_is_free_of_markup_and_only_what_is_nested_is_written_as_in_a_recipe(
    spec: type[Spec],
) -> None:
    for field in fields_of(spec):
        assert not re.search(r":\w+:|`|microveil\.", field.help), field.name
        if field.kind == "yaml":
            assert re.search(r"Mapping|dict|tuple|Generator", str(spec.model_fields[field.name]))


def test_levels_by_key_are_shown_with_their_numbers() -> None:
    step = OptimalGeneralization(k=3, levels={"age": 2, "sex": 0})
    assert ("levels", "age 2, sex 0") in in_words(step, "en")
