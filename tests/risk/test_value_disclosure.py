from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.errors import ColumnError, SpecError
from microveil.risk.value_disclosure import ValueDisclosure


def noisy(n: int, m: int, seed: int, noise: float) -> tuple[pl.DataFrame, pl.DataFrame]:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, m)) @ rng.standard_normal((m, m))
    y = x + noise * rng.standard_normal((n, m))
    names = [f"x{j}" for j in range(m)]
    return pl.DataFrame(x, schema=names), pl.DataFrame(y, schema=names)


@given(st.integers(0, 10_000), st.integers(1, 4), st.floats(0.05, 3))
@settings(max_examples=40, deadline=None)
def test_shares_are_those_of_regressions(seed: int, m: int, noise: float) -> None:
    before, after = noisy(30, m, seed, noise)
    score = ValueDisclosure().measure(before, after)
    x, y = before.to_numpy(), after.to_numpy()
    design = np.column_stack([np.ones(30), y])
    left = x - design @ np.linalg.lstsq(design, x, rcond=None)[0]
    shares = 1 - left.var(axis=0) / x.var(axis=0)
    assert list(score.parts["all"].values()) == pytest.approx(shares.tolist(), abs=1e-9)
    own = [np.corrcoef(x[:, j], y[:, j])[0, 1] ** 2 for j in range(m)]
    assert list(score.parts["own"].values()) == pytest.approx(own, abs=1e-9)
    assert score.value == pytest.approx(shares.max())
    # No linear combination is explained better than the first canonical one.
    assert score.value <= score.parts["canonical"]["1"] + 1e-9


def test_canonical_correlations_are_the_eigenvalues_of_the_textbook() -> None:
    before, after = noisy(200, 3, 1, 0.7)
    x, y = (frame.to_numpy() - frame.to_numpy().mean(axis=0) for frame in (before, after))
    product = np.linalg.solve(x.T @ x, x.T @ y) @ np.linalg.solve(y.T @ y, y.T @ x)
    expected = sorted(np.linalg.eigvals(product).real, reverse=True)
    found = ValueDisclosure().measure(before, after).parts["canonical"]
    assert list(found.values()) == pytest.approx(expected)


def test_an_identical_release_explains_everything_and_a_constant_one_nothing() -> None:
    before, _ = noisy(50, 3, 2, 1)
    assert ValueDisclosure().measure(before, before).value == pytest.approx(1)
    blank = before.with_columns(pl.all().mean())
    assert ValueDisclosure().measure(before, blank).value == 0


def test_a_permuted_release_explains_what_chance_does() -> None:
    before, _ = noisy(400, 3, 2, 1)
    rng = np.random.default_rng(0)
    shares = [
        np.mean(list(ValueDisclosure().measure(before, before[order]).parts["all"].values()))
        for order in (rng.permutation(400) for _ in range(40))
    ]
    assert np.mean(shares) == pytest.approx(3 / 399, rel=0.4)


def test_a_total_gives_its_parts_away_only_to_those_who_look_at_all_columns() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 300))
    score = ValueDisclosure().measure({"a": a, "b": b}, {"a": a + b, "b": b})
    assert score.parts["own"]["a"] < 0.7
    assert score.parts["all"]["a"] == pytest.approx(1)


def test_what_is_known_anyway_is_not_held_against_the_release() -> None:
    rng = np.random.default_rng(1)
    s = rng.normal(size=2000)
    x = s + rng.normal(size=2000)
    y = s + rng.normal(size=2000)  # drawn from the distribution of X given S
    plain = ValueDisclosure(columns="x").measure({"x": x, "s": s}, {"x": y, "s": s})
    beyond = ValueDisclosure(columns="x", given="s").measure({"x": x, "s": s}, {"x": y, "s": s})
    assert plain.value == pytest.approx(0.25, abs=0.04)
    assert beyond.value < 0.005
    default = ValueDisclosure(given="s").measure({"x": x, "s": s}, {"x": y, "s": s})
    assert default.value == pytest.approx(beyond.value)


def test_units_and_row_order_do_not_matter() -> None:
    before, after = noisy(60, 2, 5, 0.5)
    one = ValueDisclosure().measure(before, after).value
    order = np.random.default_rng(0).permutation(60)
    assert ValueDisclosure().measure(before[order] * 50, after[order] - 4).value == pytest.approx(
        one
    )


def test_missing_constant_and_hardly_any_records_have_a_meaning() -> None:
    before = {"x": [1.0, 2.0, 3.0, None], "c": [5.0] * 4}
    after = {"x": [1.0, 2.0, 3.0, 9.0], "c": [5.0] * 4}
    score = ValueDisclosure().measure(before, after)
    assert score.parts["all"] == {"x": pytest.approx(1), "c": 0}
    assert score.parts["n_complete"] == 3
    for n in (0, 1):
        frame = pl.DataFrame({"x": [1.0] * n}, schema={"x": pl.Float64})
        assert ValueDisclosure().measure(frame, frame).value == 0
    big = {"x": [1e9 + 0.1] * 5}
    assert ValueDisclosure().measure(big, big).value == 0


def test_wrong_columns_are_named() -> None:
    with pytest.raises(SpecError, match="in both `columns` and `given`"):
        ValueDisclosure.parse({"name": "value_disclosure", "columns": "x", "given": "x"})
    with pytest.raises(ColumnError, match="'s'"):
        ValueDisclosure(given="s").measure({"x": [1.0]}, {"x": [1.0]})


# S3, proportion of variability explained (X1 Y1, ρ = 0). The slides' numbers are squares of mean
# correlations: at n = 30 a mean of squares could not fall below 1/29 = .034.
CELLS = [
    (30, 0.1, 0.828411, 0.829045),
    (30, 0.5, 0.215126, 0.218040),
    (30, 1.0, 0.001025, 0.001145),
    (100, 0.1, 0.871473, 0.871500),
    (100, 0.5, 0.256386, 0.257803),
]
LARGE = [(1000, 0.1, 0.887913, 0.886925), (1000, 0.5, 0.272723, 0.271392)]


def swapped_correlation(n: int, share: float, replications: int) -> tuple[float, float]:
    swap = mv.RankSwap(columns=["x"], range_share=share)
    found = []
    for seed in range(replications):
        x = np.random.default_rng(seed).standard_normal(n)
        y = swap.protect(pl.DataFrame({"x": x}), seed=seed + 1)
        own = ValueDisclosure().measure({"x": x}, y).parts["own"]["x"]
        sign = np.sign(np.corrcoef(x, y["x"].to_numpy())[0, 1])
        found.append(sign * np.sqrt(own))
    return float(np.mean(found)), float(np.std(found) / np.sqrt(replications))


@pytest.mark.parametrize(("n", "share", "first", "second"), CELLS)
def test_swapping_explains_what_the_slides_say(
    n: int, share: float, first: float, second: float
) -> None:
    mean, error = swapped_correlation(n, share, 500)
    published = np.sqrt([first, second]) * (-1 if share == 1 else 1)
    # Theirs are means of 1000 replications; the two columns differ by their own error.
    assert np.abs(published - mean).min() < 5 * error


@pytest.mark.slow
@pytest.mark.parametrize(("n", "share", "first", "second"), LARGE)
def test_swapping_explains_what_the_slides_say_in_large_tables(
    n: int, share: float, first: float, second: float
) -> None:
    test_swapping_explains_what_the_slides_say(n, share, first, second)


@pytest.mark.slow
def test_shuffling_explains_nothing_beyond_what_is_known() -> None:
    rng = np.random.default_rng(0)
    found = []
    for seed in range(60):
        s = rng.standard_normal(300)
        x = 0.4 * s + np.sqrt(1 - 0.16) * rng.standard_normal((2, 300))
        frame = pl.DataFrame({"x": x[0], "z": x[1], "s": s})
        shuffled = mv.Shuffle(columns=["x", "z"], given=["s"]).protect(frame, seed=seed)
        score = ValueDisclosure(columns=["x", "z"], given="s").measure(frame, shuffled)
        found.append(score.parts["all"]["x"])
    assert np.mean(found) == pytest.approx(2 / 297, rel=0.5)  # what chance explains
