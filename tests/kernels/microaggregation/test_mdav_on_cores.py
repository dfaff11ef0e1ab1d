"""MDAV on several threads: the groups of one thread, with ties, many columns and long tails."""

from __future__ import annotations

import numpy as np
import pytest

from microveil.cores import settings
from microveil.kernels.microaggregation import mdav as one_thread
from microveil.kernels.microaggregation import mdav_on_cores as on_cores
from microveil.kernels.microaggregation.mdav import mdav


def drawn(kind: str, n: int, d: int) -> np.ndarray:
    rng = np.random.default_rng([n, d])
    points = rng.normal(size=(n, d))
    return {"round": points, "tailed": np.exp(points), "tied": np.round(2 * points)}[kind]


@pytest.mark.slow  # compiles; tests/methods/microaggregate has a quick case
@pytest.mark.parametrize(
    ("kind", "n", "d", "k"),
    [
        ("round", 3000, 2, 5),
        ("tailed", 3000, 5, 3),
        ("tied", 3000, 2, 4),
        ("tied", 500, 1, 2),
        ("round", 700, 20, 3),
        ("round", 1500, 3, 40),
    ],
)
def test_threads_that_look_ahead_change_no_group(
    monkeypatch: pytest.MonkeyPatch, kind: str, n: int, d: int, k: int
) -> None:
    points = drawn(kind, n, d)
    with settings.using(threads=1):
        expected = one_thread._mdav(points, np.arange(n, dtype=np.int32), k)
    monkeypatch.setattr(one_thread, "ON_CORES_FROM", 0)
    monkeypatch.setattr(one_thread, "stood_in_for", lambda *_: False)
    monkeypatch.setattr(on_cores, "_REST", 50)
    for threads in (4, 7):
        with settings.using(threads=threads):
            np.testing.assert_array_equal(mdav(points, k), expected)


def test_small_work_and_few_threads_do_not_look_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(on_cores, "mdav_on_cores", refuse)
    points = drawn("round", 300, 2)
    with settings.using(threads=7):
        mdav(points, 3)
    monkeypatch.setattr(one_thread, "ON_CORES_FROM", 0)
    with settings.using(threads=2):
        mdav(points, 3)
