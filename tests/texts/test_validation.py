from __future__ import annotations

from typing import Literal, get_args

import pytest
from pydantic_core import PydanticKnownError, core_schema

from microveil.errors import SpecError
from microveil.specs import Spec
from microveil.texts import LANGUAGES, phrase, translate
from microveil.texts.catalogue import catalogue
from microveil.texts.gaps import gaps_of
from microveil.texts.validation import refusal

OTHERS = [name for name in LANGUAGES if name != "en"]
NOT_OURS = (
    "arguments", "assertion", "bytes_invalid", "bytes_too", "complex", "counter", "dataclass_exact",
    "date_future", "date_past", "datetime_future", "datetime_object", "datetime_past",
    "decimal_max", "decimal_whole", "default_factory", "deque", "ellipsis", "extra_forbidden",
    "fraction", "frozen_dict", "get_attribute", "iteration", "json", "missing", "multiple_argument",
    "named_tuple", "needs_python", "no_such", "ordered_dict", "recursion_depth", "set_item",
    "string_not_ascii", "timezone", "unexpected", "union_tag", "url", "uuid", "value_error",
)  # fmt: skip
"""Beginnings of kinds that no field of ours has, or that specs word themselves."""


class Odd(Spec):
    """A spec that has something of everything."""

    n: int = 2
    share: float = 0.5
    way: Literal["one", "other", "third"] = "one"
    names: tuple[str, ...] = ()


def _kinds() -> list[str]:
    return [kind for kind in get_args(core_schema.ErrorType) if not kind.startswith(NOT_OURS)]


@pytest.mark.parametrize("language", OTHERS)
def test_what_a_field_can_refuse_is_said_in_every_language(language: str) -> None:
    known = catalogue(language).sentences
    assert len(_kinds()) > 40
    assert [kind for kind in _kinds() if f"pydantic.{kind}" not in known] == []
    assert {key for key in known if key.startswith("pydantic.")} == {
        f"pydantic.{kind}" for kind in _kinds()
    }


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_no_gap_that_pydantic_does_not_fill(language: str) -> None:
    for kind in _kinds():
        english = PydanticKnownError(kind, _Anything()).message_template  # type: ignore[arg-type]
        (form,) = catalogue(language).sentences[f"pydantic.{kind}"]
        assert gaps_of(form) <= gaps_of(english), kind


class _Anything(dict[str, object]):
    """A context that has whatever is asked for."""

    def __init__(self) -> None:
        text = ("class_name", "class", "error", "expected", "field_type", "pattern")
        numbers = ("actual_length", "ge", "gt", "le", "lt", "max_length", "min_length")
        super().__init__(dict.fromkeys(text, "") | dict.fromkeys(numbers, 0))
        self["multiple_of"] = 1


@pytest.mark.parametrize(
    ("given", "spanish"),
    [
        ({"n": "two"}, "n: Debe ser un número entero; el texto no lo es"),
        ({"n": 1.5}, "n: Debe ser un número entero, sin decimales"),
        ({"share": "half"}, "share: Debe ser un número; el texto no lo es"),
        ({"way": "fourth"}, "way: Debe ser 'one', 'other' o 'third'"),
        ({"names": 3}, "names: Debe ser una lista"),
        ({"nn": 3}, "nn: Campo desconocido. ¿Quería decir «n»?"),
        ({"n": 2**70}, "n: se espera un número entero menor que 2^63"),
    ],
)
def test_problems_of_a_spec_are_told_in_spanish(given: dict[str, object], spanish: str) -> None:
    with pytest.raises(SpecError) as caught:
        Odd.parse(given)
    assert translate(caught.value.message, "es") == spanish


def test_our_own_sentence_keeps_its_key() -> None:
    told = phrase("Give the values of '{path}' as a list.", path="k")
    assert refusal("value_error", f"Value error, {told}", {"error": ValueError(told)}) is told


def test_an_unknown_kind_says_what_pydantic_says() -> None:
    told = refusal("of_tomorrow", "Input should be {odd}", {})
    assert told == "Input should be {odd}"
    assert translate(told, "es") == told
