from __future__ import annotations

from random import Random
from typing import Any

import pytest

from microveil.app.inspection import Caution, inspect

N = 200
RANDOM = Random(9)

CASES: dict[str, tuple[str, dict[str, list[Any]]]] = {
    "weights may reveal the area": ("weight", {"weight": [1.5, 2.5, 3.5, 4.5] * 50}),
    "strata may reveal the area": ("strata", {"stratum": [1, 2, 3, 4] * 50}),
    "households can be counted": ("household", {"hhid": [i // 3 for i in range(N)]}),
    "several rows per person": ("entity", {"patient_id": [i // 3 * 7 for i in range(N)]}),
    "numbers that may be ids": ("numeric_id", {"x": [123457 + 331 * i for i in range(N)]}),
    "constants": ("constant", {"x": [1] * N}),
    "numbers that are codes": ("numeric_code", {"zip": [8001, 8002] * 100}),
    "a telling quasi-identifier": ("high_cardinality", {"age": [i / 2 for i in range(N)]}),
    "free text": ("free_text", {"note": [f"he said it was {i} again" for i in range(N)]}),
    "an address within a text": ("email_inside", {"x": ["write to a@b.org"] + ["no"] * (N - 1)}),
    "nested cells": ("nested", {"x": [[1], [2]] * 100}),
    "binary cells": ("binary", {"x": [b"\xff\x00", b"\xfe"] * 100}),
    "exact measures": ("exact_measure", {"income": [i * 1.1 for i in range(N)]}),
    "a header that is data": ("header", {"12": [1, 2] * 100, "31": [3, 4] * 100}),
    "few records": ("few_records", {"x": [1, 2, 3]}),
    "too many keys": ("many_keys", {f"{a}q": RANDOM.choices("abcd", k=N) for a in "abcdefghijklm"}),
    "code and label": ("dependency", {"code": [1, 2, 3, 4] * 50, "label": list("abcd") * 50}),
}  # fmt: skip


def topics(data: dict[str, list[Any]]) -> list[str]:
    return [caution.topic for caution in inspect(data).warnings]


@pytest.mark.parametrize(("topic", "data"), CASES.values(), ids=CASES)
def test_it_warns_and_names_the_columns(topic: str, data: dict[str, list[Any]]) -> None:
    found = [caution for caution in inspect(data).warnings if caution.topic == topic]
    assert len(found) == 1
    assert set(found[0].columns) <= set(data)
    assert found[0].text.endswith(".")
    if topic not in ("few_records", "many_keys", "header"):
        assert all(f"'{name}'" in found[0].text for name in data)


def test_a_harmless_table_raises_no_warning() -> None:
    sexes = [RANDOM.choice("fm") for _ in range(N)]
    ages = [RANDOM.randrange(20, 30) for _ in range(N)]
    assert topics({"sex": sexes, "age": ages}) == []


def test_weights_of_their_own_in_every_record_are_keys() -> None:
    warnings = inspect({"weight": [i + 0.5 for i in range(N)]}).warnings
    assert "one identifies it" in str(warnings[0])


def test_constant_weights_tell_no_area() -> None:
    warnings = inspect({"weight": [100.0] * N}).warnings
    assert [str(caution) for caution in warnings] == [
        "The weight 'weight' is the same in every record: it reveals nothing about areas."
    ]


def test_ids_that_determine_everything_are_not_reported_as_dependencies() -> None:
    data: dict[str, list[Any]] = {
        "hhid": [i // 4 for i in range(N)],
        "roof": [(i // 4) % 3 for i in range(N)],
        "email": [f"a{i}@b.org" for i in range(N)],
    }
    assert "dependency" not in topics(data)


def test_a_caution_reads_as_its_sentence() -> None:
    assert str(Caution("topic", ("x",), "Look at 'x'.")) == "Look at 'x'."


def test_measures_of_any_length_are_not_taken_for_ids() -> None:
    assert "numeric_id" not in topics({"x": [7 * i * i for i in range(N)]})
