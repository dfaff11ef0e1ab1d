from __future__ import annotations

import copy
import json
import pickle

import pytest

from microveil.texts import Message, compose, join, translate


def _sent(told: Message) -> Message:
    again = pickle.loads(pickle.dumps(told))  # noqa: S301  our own
    assert isinstance(again, Message)
    return again


PLURAL = {"many": "{n:,} records are unique."}


def test_a_message_is_its_english_sentence() -> None:
    told = Message("error.did_you_mean", "No column '{name}'.", name="age")
    assert told == "No column 'age'."
    assert json.dumps(told) == "\"No column 'age'.\""
    assert f"{told}!" == "No column 'age'.!"


def test_of_one_it_speaks_in_the_singular() -> None:
    assert Message("x.unique", "1 record is unique.", **PLURAL, n=1) == "1 record is unique."
    assert Message("x.unique", "1 record is unique.", **PLURAL, n=0) == "0 records are unique."


@pytest.mark.parametrize("remake", [copy.copy, copy.deepcopy, _sent])
def test_a_message_survives_the_way_to_another_process(remake: object) -> None:
    told = Message("x.unique", "1 record is unique.", **PLURAL, n=3)
    assert callable(remake)
    again = remake(told)
    assert again == told
    assert (again.key, again.english, again.many, again.values) == (
        told.key, told.english, told.many, told.values,
    )  # fmt: skip


def test_a_gap_without_a_value_is_found_at_once() -> None:
    with pytest.raises(KeyError):
        Message("x.y", "No column '{name}'.")


def test_what_is_composed_is_said_in_parts() -> None:
    hint = Message("error.did_you_mean", " Did you mean '{name}'?", name="age")
    told = join(["plain", compose("{path}: {hint}", path="steps.0", hint=hint)], "; ")
    assert told == "plain; steps.0:  Did you mean 'age'?"
    assert translate(told, "es") == "plain; steps.0:  ¿Quería decir «age»?"
