from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.pairs.known_columns import pair_tables
from microveil.risk.linkage.fellegi_sunter import agreement_comparison
from microveil.risk.record_linkage import RecordLinkage
from microveil.tables import Table
from tests.risk.linkage.cases import people


def test_em_finds_how_often_columns_agree_without_seeing_the_truth() -> None:
    rng = np.random.default_rng(2)
    n, kept = 1500, {"a": 0.9, "b": 0.7, "c": 0.95, "d": 0.8}
    frame = pl.DataFrame({name: rng.integers(0, 30, n).astype(str) for name in kept})
    changed = frame.with_columns(
        pl.when(pl.Series(rng.random(n) < share))
        .then(pl.col(name))
        .otherwise(pl.Series(rng.integers(0, 30, n).astype(str)))
        .alias(name)
        for name, share in kept.items()
    )
    score = RecordLinkage(method="probabilistic").measure(frame, changed)
    found = score.frames["agreement"]
    for name, share in kept.items():
        row = found.row(by_predicate=pl.col("column") == name, named=True)
        agreed = (frame[name] == changed[name]).to_numpy().mean()
        assert row["m"] == pytest.approx(agreed, abs=0.05), share
        assert row["u"] == pytest.approx(1 / 30, abs=0.005)
    assert score.value > 0.7


def test_probabilistic_links_go_to_the_largest_weight() -> None:
    frame = people(80, 5)
    noisy = mv.AdditiveNoise(columns=["pay", "age"], sd_share=0.2).protect(frame, seed=4)
    noisy = mv.Pram(columns=["town"], retention=0.7).protect(noisy, seed=5)
    score = RecordLinkage(method="probabilistic", worst_columns=False).measure(frame, noisy)
    pair = pair_tables(Table(frame), Table(noisy), ())
    found = agreement_comparison(pair, "sd", 0.1, {}).described
    weights = np.zeros((80, 80))
    for name, lost in found.select("column", "lost").iter_rows():
        x, y = frame[name], noisy[name]
        if x.dtype == pl.String:
            agree = x.to_numpy()[:, None] == y.to_numpy()[None]
        else:
            x, y = (side.to_physical().cast(pl.Float64) for side in (x, y))
            spread = y.std()
            assert isinstance(spread, float)
            agree = np.abs(x.to_numpy()[:, None] - y.to_numpy()[None]) <= 0.1 * spread
        weights += agree * lost
    own = np.diag(weights)
    beaten = (weights > own[:, None] + 1e-6).any(axis=1)
    ties = (weights >= own[:, None] - 1e-6).sum(axis=1)
    assert score.records == pytest.approx(np.where(beaten, 0, 1 / ties))


def test_agreement_is_no_evidence_against_a_match_in_classes_cut_by_one_another() -> None:
    rng = np.random.default_rng(11)
    n, keys = 1200, ["age", "zip", "job"]
    frame = pl.DataFrame(
        {
            "age": rng.integers(0, 90, n),
            "zip": rng.integers(0, 60, n),
            "job": rng.choice(list("abcde"), n, p=[0.4, 0.3, 0.2, 0.06, 0.04]),
        }
    )
    roles = mv.Roles(quasi_identifiers=keys)
    released = mv.Mondrian(k=5).protect(frame, roles=roles)
    # Strict Mondrian: only the own class covers a record, so that one in its size is found.
    for method in ("distance", "probabilistic"):
        score = RecordLinkage(method=method).measure(frame, released, roles=roles)
        assert score.value == pytest.approx(released.n_unique() / n)
