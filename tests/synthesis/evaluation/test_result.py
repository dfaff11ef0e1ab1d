from __future__ import annotations

import microveil as mv
from tests.synthesis.evaluation.cases import ORIGINAL, OTHERS


def test_the_result_is_plain_data() -> None:
    found = mv.evaluate_synthesis(ORIGINAL, OTHERS)
    assert {row["aspect"] for row in found.to_dict()["measures"]} == {
        "fidelity",
        "usefulness",
        "privacy",
    }
