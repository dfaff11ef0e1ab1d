from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.synthesis.parts.constraints import Constraints, drawn_until_kept
from microveil.synthesis.parts.rules import Rule


def test_records_that_break_a_rule_are_drawn_again() -> None:
    rng = np.random.default_rng(1)
    constraints = Constraints.of(pl.DataFrame({"x": [1]}), [Rule(must="x > 3")], (), (), ())
    frame, n_again = drawn_until_kept(
        50, lambda rows: pl.DataFrame({"x": rng.integers(0, 10, len(rows))}), constraints
    )
    assert frame.height == 50
    assert frame["x"].min() == 4
    assert n_again > 0


def test_rules_that_cannot_be_kept_are_refused_with_their_number() -> None:
    constraints = Constraints.of(pl.DataFrame({"x": [1]}), [Rule(must="x > 3")], (), (), ())
    with pytest.raises(mv.InputError, match="rule 1 by 5"):
        drawn_until_kept(5, lambda rows: pl.DataFrame({"x": [0] * len(rows)}), constraints)


def test_combinations_that_nobody_has_are_not_drawn() -> None:
    rng = np.random.default_rng(1)
    seen = pl.DataFrame({"sex": ["f", "m"], "pregnant": [True, None]})
    constraints = Constraints.of(seen, (), (), [("sex", "pregnant")], ())

    def draw(rows: object) -> pl.DataFrame:
        n = len(rows)  # type: ignore[arg-type]
        return pl.DataFrame(
            {
                "sex": rng.choice(["f", "m"], n).tolist(),
                "pregnant": [True if one else None for one in rng.integers(0, 2, n)],
            },
            schema_overrides={"pregnant": pl.Boolean},
        )

    frame, _ = drawn_until_kept(40, draw, constraints)
    assert set(frame.rows()) == {("f", True), ("m", None)}
