"""Beside a control, an intruder learns from some people which columns to use for others."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv


def people(seed: int, n: int = 500) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    drawn = {f"x{i}": np.round(rng.normal(size=n), 1) for i in range(5)}
    return pl.DataFrame({**drawn, "town": rng.choice(list("abcd"), n)})


def telling(original: pl.DataFrame) -> pl.DataFrame:
    """A release in which two columns are as they were, and the others drawn anew."""
    return people(77, original.height).with_columns(original["x0"], original["x1"])


@pytest.mark.parametrize("seed", [1, 2])
def test_columns_that_say_nothing_hide_no_members(seed: int) -> None:
    original, control = people(seed), people(seed + 10)
    released = telling(original)
    found = mv.Membership().measure(original, released, control=control)
    alone = mv.Membership(columns=["x0", "x1"]).measure(original, released, control=control)
    assert found.parts["by_all_columns"] < 0.2
    assert alone.value > 0.4
    assert found.value > alone.value - 0.1
    assert {"x0", "x1"} <= set(found.parts["columns"])


def test_columns_are_chosen_on_one_half_and_used_for_the_other() -> None:
    original, control = people(1), people(11)
    found = mv.Membership().measure(original, telling(original), control=control)
    assert len(found.parts["columns_by_half"]) == 2
    # Of a release that knows nobody the chosen columns say as little as all of them.
    values = [
        mv.Membership().measure(people(20 + i), people(40 + i), control=people(60 + i)).value
        for i in range(6)
    ]
    assert float(np.mean(values)) < 0.06


def test_the_order_of_rows_and_repeated_rows_change_nothing() -> None:
    roles = mv.Roles(entity="who")
    original = people(1, 120).with_row_index("who")
    control = people(2, 120).with_row_index("who")
    released = telling(original.drop("who")).with_columns(original["who"])
    rng = np.random.default_rng(1)
    order = rng.permutation(120)
    measure = mv.Membership()
    plain = measure.measure(original, released, roles=roles, control=control)
    turned = measure.measure(original[order], released[order], roles=roles, control=control[order])
    thrice = measure.measure(
        pl.concat([original] * 3),
        pl.concat([released] * 3),
        roles=roles,
        control=pl.concat([control] * 3),
    )
    assert plain.value == pytest.approx(turned.value) == pytest.approx(thrice.value)
