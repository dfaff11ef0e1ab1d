from __future__ import annotations

import numpy as np
import pytest

from microveil.risk.linkage import known_sets
from microveil.risk.linkage.known_sets import Names, sample_rows, strongest

WORTH = {"a": 0.3, "b": -0.2, "c": 0.2, "d": -0.1}


def found_by(columns: Names, _some: object) -> np.ndarray:
    return np.full(400, 0.1 + sum(WORTH[name] for name in columns))


@pytest.mark.parametrize("n_pairs", [150_000_000, 100])
def test_columns_that_mislead_are_left_out_one_after_the_other(
    n_pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_sets, "EXACT_PAIRS", n_pairs)  # fewer: on a sample
    names = tuple(WORTH)
    best = strongest(
        names,
        found_by(names, None),
        found_by,
        ceiling=lambda _: 1.0,
        n_pairs=1000.0,
        order=lambda: np.arange(400),
    )
    assert best.columns == ("a", "c")
    assert best.found[0] == pytest.approx(0.6)


def test_nothing_is_tried_where_nothing_can_find_more() -> None:
    def refuse(columns: Names, _some: object) -> np.ndarray:
        raise AssertionError(columns)

    found = np.full(4, 0.5)
    best = strongest(
        ("a", "b"), found, refuse, ceiling=lambda _: 0.5, n_pairs=1.0, order=lambda: np.arange(4)
    )
    assert best.columns == ("a", "b")


def test_a_sample_does_not_depend_on_the_order_of_rows() -> None:
    contents = np.random.default_rng(1).permutation(5000)
    first = sample_rows(5000, 1e6, 1e5, lambda: np.argsort(contents))
    mixed = np.random.default_rng(2).permutation(5000)
    second = sample_rows(5000, 1e6, 1e5, lambda: np.argsort(contents[mixed]))
    assert first is not None
    assert second is not None
    assert sorted(contents[first]) == sorted(contents[mixed][second])
    assert sample_rows(5000, 1e5, 1e5, lambda: contents) is None


def test_columns_that_do_clearly_worse_are_set_aside_on_few_rows() -> None:
    n, tried = 20_000, []
    chances = np.random.default_rng(3).random(n)
    needed = {(): 1.0, ("a",): 0.45, ("b",): 0.98, ("c",): 0.97, ("a", "b"): 0.5, ("a", "c"): 0.4}

    def link(columns: Names, some: np.ndarray | None) -> np.ndarray:
        rows = np.arange(n) if some is None else some
        tried.append((columns, len(rows)))
        found = np.zeros(n)
        found[rows] = chances[rows] > needed.get(columns, 0.9)
        return found

    best = strongest(
        ("a", "b", "c"),
        (chances > 0.6).astype(float),
        link,
        ceiling=lambda _: 1.0,
        n_pairs=float(n) * n,
        order=lambda: np.argsort(chances),
    )
    assert best.columns == ("a", "c")
    everywhere = [columns for columns, n_rows in tried if n_rows == n]
    assert ("b",) not in everywhere
    assert ("a", "c") in everywhere
    assert dict(tried[:1]) == {("b", "c"): known_sets.SCREENS[0]}
