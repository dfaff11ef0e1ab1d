"""Audit: does a membership attack on neighbouring tables stay within the claimed ε?

The attacker knows every record but one, and reads from all noisy answers how much they speak for
the last one. The error rates of a threshold, chosen on a third of the runs and tried on the rest,
bound ε from below (Jagielski, Ullman and Oprea 2020). One run with many canaries, each in the table
by the toss of a coin, shows more (Steinke, Nasr and Jagielski 2023).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import log
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import microveil as mv
from microveil.synthesis import Aim, Mst
from microveil.synthesis.private import generator as private
from microveil.synthesis.private.generator import PrivateFitted, PrivateGenerator
from microveil.synthesis.private.marginals import CodedTable
from microveil.synthesis.private.noise import InsecureNoise, SecureNoise
from microveil.tables import Table

Floats = NDArray[np.float64]

DOMAIN: dict[str, Any] = {"zip": ["a", "b", "z"], "ill": ["no", "yes"]}
OTHERS = pl.DataFrame({"zip": ["a", "b"] * 20, "ill": (["no"] * 3 + ["yes"]) * 10})
TARGET = pl.DataFrame({"zip": ["z"], "ill": ["yes"]})
DELTA = 1e-5


def evidence_for_the_target(model: PrivateFitted) -> float:
    """Noisy counts of the target's cells, each by its precision: the likelihood ratio's core."""
    learnt = model.learnt
    codes = {name: column.encode(TARGET[name]) for name, column in model.columns.items()}
    cells = np.stack([codes[name] for name in model.names])
    places = learnt.compression.forward(
        CodedTable(cells, tuple(c.size for c in model.columns.values()))
    )
    found = 0.0
    for one in learnt.evidence.measurements:
        place = tuple(int(places.codes[column, 0]) for column in one.columns)
        found += float(one.values[place] / one.variance[place])
    return found


def synthetic_targets(model: PrivateFitted) -> float:
    """Synthetic records that are like the target: what a reader of the release sees."""
    drawn = model.sample(200, np.random.default_rng())
    return float(((drawn["zip"] == "z") & (drawn["ill"] == "yes")).sum())


def attacked(
    spec: PrivateGenerator, n: int, statistic: Callable[[PrivateFitted], float]
) -> tuple[Floats, Floats]:
    def run(frame: pl.DataFrame) -> float:
        model = spec.fit(Table(frame), np.random.default_rng())
        assert isinstance(model, PrivateFitted)
        return statistic(model)

    whole = pl.concat([OTHERS, TARGET])
    return (
        np.array([run(whole) for _ in range(n)]),
        np.array([run(OTHERS) for _ in range(n)]),
    )


def epsilon_at_least(inside: Floats, outside: Floats, delta: float) -> float:
    """Lower bound of ε with 99.8 % confidence."""
    learnt = len(inside) // 3
    threshold = best_threshold(inside[:learnt], outside[:learnt])
    inside, outside = inside[learnt:], outside[learnt:]
    return max(
        _log_ratio(
            int((inside >= threshold).sum()), int((outside >= threshold).sum()), len(inside), delta
        ),
        _log_ratio(
            int((outside < threshold).sum()), int((inside < threshold).sum()), len(inside), delta
        ),
        0.0,
    )


def best_threshold(inside: Floats, outside: Floats) -> float:
    thresholds = np.unique(np.concatenate([inside, outside]))
    right = [(inside >= one).sum() + (outside < one).sum() for one in thresholds]
    return float(thresholds[int(np.argmax(right))])


def _log_ratio(hits: int, errors: int, n: int, delta: float) -> float:
    """Log of the least hit rate by the largest error rate (Clopper and Pearson 1934)."""
    from scipy.stats import beta

    least = float(beta.ppf(0.001, hits, n - hits + 1)) if hits else 0.0
    most = float(beta.ppf(0.999, errors + 1, n - errors)) if errors < n else 1.0
    return log((least - delta) / most) if least > delta else 0.0


@pytest.mark.parametrize("generator", [Mst, pytest.param(Aim, marks=pytest.mark.slow)])
def test_the_attack_stays_below_the_claim(generator: type[PrivateGenerator]) -> None:
    spec = generator(epsilon=1.0, delta=DELTA, domain=DOMAIN)
    inside, outside = attacked(spec, 60, evidence_for_the_target)
    assert epsilon_at_least(inside, outside, DELTA) <= 1.0


class LoudNoise(InsecureNoise):
    """A mechanism that claims the cost of its noise but draws a thirtieth of it."""

    def counts(self, values: Any, rho: Fraction) -> Any:
        noisy, _ = super().counts(values, 900 * rho)
        return noisy, super().counts(values[:0], rho)[1]


def test_the_audit_finds_a_mechanism_that_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private, "InsecureNoise", LoudNoise)
    spec = Mst(epsilon=1.0, delta=DELTA, domain=DOMAIN, insecure=True)
    inside, outside = attacked(spec, 60, evidence_for_the_target)
    assert epsilon_at_least(inside, outside, DELTA) > 1.0


@pytest.mark.slow
@pytest.mark.parametrize("generator", [Mst, Aim])
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 4.0])
@pytest.mark.parametrize("statistic", [evidence_for_the_target, synthetic_targets])
def test_two_thousand_attacks_stay_below_the_claim(
    generator: type[PrivateGenerator],
    epsilon: float,
    statistic: Callable[[PrivateFitted], float],
) -> None:
    spec = generator(epsilon=epsilon, delta=DELTA, domain=DOMAIN)
    inside, outside = attacked(spec, 1000, statistic)
    assert epsilon_at_least(inside, outside, DELTA) <= epsilon


def test_the_claimed_noise_is_what_was_drawn() -> None:
    noise = SecureNoise()
    share = Fraction(1, 200)
    drawn, scale = noise.counts(np.zeros(3000, dtype=np.int64), share)
    assert drawn.std() == pytest.approx(scale, rel=0.06)


N_CANARIES = 2000


def louder(factor: int) -> type[InsecureNoise]:
    """Noise that claims its cost but is that many times too small."""

    class Louder(InsecureNoise):
        def counts(self, values: Any, rho: Fraction) -> Any:
            noisy, _ = super().counts(values, factor**2 * rho)
            return noisy, super().counts(values[:0], rho)[1]

    return Louder


def one_run(
    generator: type[PrivateGenerator],
    monkeypatch: pytest.MonkeyPatch,
    *,
    factor: int = 0,
    n_columns: int = 1,
) -> float:
    """The ε that one run with many canaries shows; with noise that many times too small, if any.

    Each canary has a code that nobody else has. The attack reads every noisy count of that code.
    """
    from microveil.synthesis.private import measuring

    rng = np.random.default_rng(11)
    included = rng.random(N_CANARIES) < 0.5
    codes = np.concatenate([np.flatnonzero(included), np.full(500, N_CANARIES)])
    frame = pl.DataFrame({"code": codes, "ill": rng.choice(["no", "yes"], len(codes))})
    each_code = {"low": 0, "high": N_CANARIES, "bins": N_CANARIES + 1}
    domain: dict[str, Any] = {"code": each_code, "ill": ["no", "yes"]}
    if n_columns == 1:
        frame, domain = frame.drop("ill"), {"code": domain["code"]}
    if factor:
        monkeypatch.setattr(private, "InsecureNoise", louder(factor))
    seen: list[Any] = []
    before = measuring.measure

    def measure(table: CodedTable, columns: Any, *rest: Any) -> Any:
        found = before(table, columns, *rest)
        if columns[-1:] == (len(table.sizes) - 1,) and table.sizes[-1] > N_CANARIES:
            each = (found.values / found.variance).reshape(-1, table.sizes[-1])
            seen.append(each.sum(axis=0)[:N_CANARIES])
        return found

    monkeypatch.setattr(measuring, "measure", measure)
    spec = generator(epsilon=1.0, domain=domain, insecure=bool(factor))
    spec.fit(Table(frame), rng)
    found = mv.dp.audit_in_one_run(np.sum(seen, axis=0), included, delta=1e-9, confidence=0.9999)
    return found.epsilon


@pytest.mark.parametrize("generator", [Mst, Aim])
@pytest.mark.parametrize("n_columns", [1, 2])
def test_many_canaries_in_one_run_stay_below_the_claim(
    generator: type[PrivateGenerator], n_columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert one_run(generator, monkeypatch, n_columns=n_columns) <= 1.0


@pytest.mark.parametrize("generator", [Mst, Aim])
@pytest.mark.parametrize(("n_columns", "factor"), [(1, 10), (2, 30)])
def test_many_canaries_in_one_run_convict_noise_that_is_too_small(
    generator: type[PrivateGenerator], n_columns: int, factor: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert one_run(generator, monkeypatch, factor=factor, n_columns=n_columns) > 1.0
