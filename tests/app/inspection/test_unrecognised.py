"""Columns without a known name or shape get a cautious role."""

from __future__ import annotations

import random

import pytest

import microveil as mv

N = 400
_DRAW = random.Random(5)
IDS = _DRAW.sample(range(100_000, 999_999), N)


@pytest.mark.parametrize(
    ("values", "role"),
    [
        (IDS, "identifier"),
        ([*IDS[:-4], *IDS[:4]], "identifier"),
        ([5_000 + 3 * (i // 4) for i in range(N)], "identifier"),
        ([100 + i % 150 for i in range(N)], "insensitive"),
        ([i % 7 for i in range(N)], "quasi_identifier"),
        ([100 + 37 * (i % 20) for i in range(N)], "quasi_identifier"),
        ([f"text {i}" for i in range(N)], "identifier"),
        ([round(_DRAW.lognormvariate(8, 1.5), 2) for _ in range(N)], "sensitive"),
    ],
    ids=["ids", "ids, some twice", "ids of fours", "measures", "few", "codes", "texts", "amounts"],
)
def test_the_values_alone_decide_with_caution(values: list[object], role: str) -> None:
    assert mv.inspect({"xq": values, "sex": ["f", "m"] * (N // 2)}).columns[0].role == role


def test_a_name_that_is_recognised_outweighs_equal_lengths() -> None:
    looked = mv.inspect({"income": IDS, "sex": ["f", "m"] * (N // 2)})
    assert looked.roles.sensitive == ("income",)


def test_digits_of_one_length_kept_as_text_are_ids() -> None:
    frame = {"zeichen": [str(500_000 + 7 * i) for i in range(200)]}
    assert mv.inspect(frame)["zeichen"].role == "identifier"
