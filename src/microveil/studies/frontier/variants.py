"""What is tried: each method with a sweep of its main parameter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from microveil import methods as m
from microveil.methods import METHODS, Method

Variant = tuple[str, str, Method]
"""Family, parameter in words, and the step."""

KS = (2, 5, 10, 25, 50, 100)
QUICK_KS = (5, 50)
LARGEST_REFINED = 20
"""Beyond, the refining search takes half a minute and more."""
ABSENT: dict[str, str] = {
    "pseudonymize": "hides identifiers, which neither data set has",
    "decompose": "publishes the same cells in several tables; each has the risk of its columns",
    "suppress_records": "removes what coarser steps leave over; alone it leaves next to nothing",
    "synthesize": "its records are nobody's; the study `synthesis` has a map for it",
}
"""Methods that are not on the map, and why."""


def on_census(columns: Sequence[str], *, quick: bool) -> Iterator[Variant]:
    """Methods for numbers."""
    yield from _noise(columns, (0.1, 0.5) if quick else (0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2))
    yield from _swaps(columns, (0.05, 0.2) if quick else (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.4))
    yield "half swap", "", m.HalfSwap(columns=columns)
    yield "shuffle", "copula", m.Shuffle(columns=columns)
    yield "shuffle", "copula, exact", m.Shuffle(columns=columns, exact=True)
    yield "permute", "", m.Permute(columns=columns)
    for k in QUICK_KS if quick else (3, 5, 10, 20, 50, 100):
        yield "microaggregate", f"k = {k}", m.Microaggregate(columns=columns, k=k)
        if k <= LARGEST_REFINED and not quick:
            refined = m.Microaggregate(columns=columns, k=k, algorithm="refined")
            yield "microaggregate, refined", f"k = {k}", refined
        each = m.Microaggregate(columns=columns, k=k, algorithm="optimal", each=True)
        yield "microaggregate, each column", f"k = {k}", each
        yield "mondrian", f"k = {k}", m.Mondrian(k=k, columns=columns, publish="ranges")
        yield (
            "mondrian, centroids",
            f"k = {k}",
            m.Mondrian(k=k, columns=columns, publish="centroids"),
        )
    for base in (1_000, 50_000) if quick else (100, 1_000, 5_000, 20_000, 50_000):
        yield "round", f"to {base:,}", m.Round(columns=columns, base=base)
    for share in (0.1,) if quick else (0.02, 0.05, 0.1, 0.25):
        coded = m.TopBottomCode(columns=columns, top_share=share, bottom_share=share)
        yield "top and bottom code", f"{share:.0%}", coded
    for share in (0.5,) if quick else (0.1, 0.25, 0.5, 0.75):
        yield "sample", f"{share:.0%}", m.Sample(share=share)


def _noise(columns: Sequence[str], shares: Sequence[float]) -> Iterator[Variant]:
    for share in shares:
        plain = m.AdditiveNoise(columns=columns, sd_share=share)
        yield "additive noise", f"sd × {share:g}", plain
        alike = m.AdditiveNoise(columns=columns, sd_share=share, correlated=True)
        yield "additive noise, correlated", f"sd × {share:g}", alike
        yield (
            "multiplicative noise",
            f"sd {share:g}",
            m.MultiplicativeNoise(columns=columns, sd=share, distribution="normal"),
        )


def _swaps(columns: Sequence[str], shares: Sequence[float]) -> Iterator[Variant]:
    for share in shares:
        yield "rank swap", f"{share:.0%}", m.RankSwap(columns=columns, range_share=share)
        blocks = m.RankSwap(columns=columns, range_share=share, variant="blocks")
        yield "rank swap, blocks", f"{share:.0%}", blocks


def on_adult(
    keys: Sequence[str], hierarchies: Mapping[str, Any], *, quick: bool
) -> Iterator[Variant]:
    """Methods for categories."""
    yield from _classes(keys, hierarchies, quick=quick)
    yield from _recodings(keys, hierarchies, quick=quick)
    for share in (0.8,) if quick else (0.95, 0.9, 0.8, 0.6, 0.4, 0.2):
        yield "pram", f"keeps {share:.0%}", m.Pram(columns=keys, retention=share)
        same = m.Pram(columns=keys, retention=share, invariant=True)
        yield "pram, invariant", f"keeps {share:.0%}", same
    for epsilon in (2,) if quick else (6, 4, 3, 2, 1):
        step = m.RandomizedResponse(columns=keys, epsilon=epsilon)
        yield "randomised response", f"ε = {epsilon} a column", step
    for share in (0.5,) if quick else (0.1, 0.25, 0.5, 1.0):
        step_ = m.SwapRecords(hierarchy=["native-country"], swap_share=share)
        yield "swap records", f"{share:.0%}", step_
    yield "permute", "", m.Permute(columns=keys)
    for share in (0.5,) if quick else (0.1, 0.25, 0.5, 0.75):
        yield "sample", f"{share:.0%}", m.Sample(share=share)


def _classes(
    keys: Sequence[str], hierarchies: Mapping[str, Any], *, quick: bool
) -> Iterator[Variant]:
    given: dict[str, Any] = {"columns": keys, "hierarchies": hierarchies}
    for k in QUICK_KS if quick else KS:
        word = f"k = {k}"
        yield "mondrian", word, m.Mondrian(k=k, **given)
        yield "mondrian, relaxed", word, m.Mondrian(k=k, mode="relaxed", **given)
        yield "datafly", word, m.Datafly(k=k, **given)
        optimal = m.OptimalGeneralization(k=k, suppression_share=0.05, **given)
        yield "optimal generalisation", f"{word}, 5 % suppressed", optimal
        yield "incognito", word, m.Incognito(k=k, **given)
        if not quick:
            yield "local recoding", word, m.LocalRecoding(k=k, **given)
        yield "local suppression", word, m.LocalSuppression(k=k, columns=keys, missing="wildcard")


def _recodings(
    keys: Sequence[str], hierarchies: Mapping[str, Any], *, quick: bool
) -> Iterator[Variant]:
    """Recodings of single columns: none of them reaches a k by itself."""
    for level in (2,) if quick else (1, 2, 3):
        step = m.Generalize(column="age", hierarchy=hierarchies["age"], level=level)
        yield "generalise age", f"level {level}", step
    yield "drop", "age", m.Drop(columns=["age"])
    yield "drop", "age, occupation", m.Drop(columns=["age", "occupation"])
    yield "mask", "age", m.Mask(columns=["age"], keep_start=1)
    for count in (500,) if quick else (100, 500, 2_000):
        rare = m.GroupRare(columns=[key for key in keys if key != "age"], min_count=count)
        yield "group rare", f"below {count:,}", rare
    for base in (10,) if quick else (5, 10, 20):
        yield "round", f"age to {base}", m.Round(columns=["age"], base=base)
    yield (
        "top and bottom code",
        "age, 10 %",
        m.TopBottomCode(columns=["age"], top_share=0.1, bottom_share=0.1),
    )
    yield (
        "aggregate",
        "age by education and sex",
        m.Aggregate(columns=["age"], by=["education", "sex"], statistic="mean"),
    )


def missing_methods(variants: Sequence[Variant]) -> list[str]:
    """Registered methods that are neither tried nor listed as absent."""
    tried = {step.kind() for _, _, step in variants} | set(ABSENT)
    return [name for name in METHODS.classes if name not in tried]
