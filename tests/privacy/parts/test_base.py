from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from microveil.privacy.k_anonymity import KAnonymity
from microveil.privacy.parts.base import Check
from microveil.tables import Roles


def check(**changes: Any) -> Check:
    usual: dict[str, Any] = {
        "model": "some_model",
        "title": "some promise",
        "required": 2,
        "achieved": 3,
        "broken_in": np.array([], dtype=np.int64),
        "n_broken": 0,
        "n_records": 10,
    }
    return Check(**(usual | changes))


def test_a_promise_about_the_whole_can_break_without_a_broken_class() -> None:
    assert check().holds
    broken = check(kept_as_a_whole=False)
    assert not broken.holds
    assert broken.sentence().startswith("some promise does not hold: 0 of 10 records break it")


def test_json_can_say_every_check() -> None:
    plain = check(achieved=math.inf, parts={"s": math.inf, "r": 1.5}).to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == {
        "model": "some_model",
        "required": 2,
        "achieved": None,
        "holds": True,
        "n_broken": 0,
        "parts": {"s": None, "r": 1.5},
    }


def test_wording_stands_for_the_two_numbers() -> None:
    assert check(wording="this and that").sentence() == "some promise holds (this and that)."


@pytest.mark.parametrize("k", [2, 5, 10**18])
def test_a_k_beyond_the_table_is_broken_by_all_and_an_empty_table_by_none(k: int) -> None:
    roles = Roles(quasi_identifiers=["q"])
    assert KAnonymity(k=k).check({"q": [1]}, roles).n_broken == 1
    assert KAnonymity(k=k).check({"q": []}, roles).holds
    assert KAnonymity(k=k).reads(roles) == ()
