"""Each output has the worst verdict of what was found in it."""

from __future__ import annotations

from microveil.tabulation.outputs.checking import Finding, OutputsCheck
from microveil.tabulation.outputs.verdicts import verdicts_by_output


def test_a_cell_that_two_outputs_give_away_fails_both() -> None:
    found = OutputsCheck(
        ("a", "b", "c"),
        ("plot.png",),
        (
            Finding("x", 3, "small", ("a", "accepted: old", "b")),
            Finding("y", 1, "?", ("a",), "review"),
        ),
    )
    assert verdicts_by_output(found) == {
        "a": "fail",
        "b": "fail",
        "c": "pass",
        "plot.png": "review",
    }
