from __future__ import annotations

import pytest

from microveil.errors import InputError
from microveil.utility.precision import Precision


def test_precision_names_the_column_whose_hierarchy_it_lacks() -> None:
    with pytest.raises(InputError, match="column 'age'") as caught:
        Precision().measure({"age": [31, 38]}, {"age": ["[30, 40)", "38"]})
    assert "[30" not in str(caught.value)


def test_precision_is_the_mean_level() -> None:
    hierarchy = {"age": {"hierarchy": "intervals", "width": [10, 20]}}
    before = {"age": [31, 38, 52, 57]}
    after = {"age": ["[30, 40)", "[20, 40)", "52", "*"]}
    score = Precision.parse({"hierarchies": hierarchy}).measure(before, after)
    assert score.value == pytest.approx((1 / 3 + 2 / 3 + 0 + 1) / 4)
