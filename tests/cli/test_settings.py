from __future__ import annotations

import pytest

from microveil.cli.settings import grids, settings
from microveil.errors import InputError


def test_a_setting_and_a_grid_read_the_same_value() -> None:
    for text, value in {
        "3": 3,
        "0.5": 0.5,
        ".5": 0.5,
        "true": True,
        "null": None,
        "no": "no",
    }.items():
        assert settings([f"steps.0.x={text}"]) == {"steps.0.x": value}
        assert grids([f"steps.0.x={text}"]) == {"": {"steps.0.x": [value]}}


def test_numbers_that_are_none_stay_text() -> None:
    assert settings(["a=nan", "b=inf", "c=1e999"]) == {"a": "nan", "b": "inf", "c": "1e999"}


@pytest.mark.parametrize(
    "text", ["steps.0.k", "=3", "steps.0.k=", "k=" + "[" * 50, "k=" + "9" * 20_000]
)
def test_what_is_no_setting_gets_one_sentence(text: str) -> None:
    with pytest.raises(InputError) as caught:
        settings([text])
    assert len(str(caught.value)) < 200


def test_brackets_that_do_not_close_are_told() -> None:
    with pytest.raises(InputError, match="brackets"):
        settings(["k=[1, 2"])
