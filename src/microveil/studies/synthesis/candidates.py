"""What is tried: all generators, and methods of other families beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from microveil import methods as m
from microveil.methods import Method
from microveil.synthesis import GENERATORS

Variant = tuple[str, str, Method]
"""Family, parameter in words, and the step."""

EPSILONS = (1, 10)
PLAIN = ("cart", "boosted", "copula", "ipso", "marginals", "bootstrap")
"""Generators without differential privacy, in the order of the tables."""
QUICK_PLAIN = ("cart", "bootstrap")
PRIVATE = ("mst", "aim")


def generators(domain: Mapping[str, Any], *, numbers: bool, quick: bool) -> Iterator[Variant]:
    """Each registered generator; those with privacy at two levels, with noise that repeats."""
    for name in QUICK_PLAIN if quick else PLAIN:
        if name in GENERATORS and (numbers or not GENERATORS[name].numbers_only):
            yield name, "", m.Synthesize(generator=GENERATORS[name]())
    for name in PRIVATE[:1] if quick else PRIVATE:
        for epsilon in EPSILONS[:1] if quick else EPSILONS:
            spec = {"generator": name, "epsilon": epsilon, "domain": domain, "insecure": True}
            yield name, f"ε = {epsilon}", m.Synthesize(generator=GENERATORS.parse(spec))


def beside_numbers(columns: Sequence[str], *, quick: bool) -> Iterator[Variant]:
    """Other methods for numbers."""
    for share in (0.2,) if quick else (0.1, 0.3, 0.8):
        yield "additive noise", f"sd × {share:g}", m.AdditiveNoise(columns=columns, sd_share=share)
    for share in (0.1,) if quick else (0.05, 0.1, 0.4):
        yield "rank swap", f"{share:.0%}", m.RankSwap(columns=columns, range_share=share)
    for k in (10,) if quick else (3, 10, 50):
        yield "microaggregate", f"k = {k}", m.Microaggregate(columns=columns, k=k)
    yield "permute", "", m.Permute(columns=columns)


def beside_categories(
    keys: Sequence[str], hierarchies: Mapping[str, Any], *, quick: bool
) -> Iterator[Variant]:
    """Other methods for categories."""
    for k in (10,) if quick else (2, 10, 50):
        given: dict[str, Any] = {"columns": keys, "hierarchies": hierarchies}
        yield "mondrian", f"k = {k}", m.Mondrian(k=k, **given)
        yield "local suppression", f"k = {k}", m.LocalSuppression(k=k, columns=keys)
    for share in (0.8,) if quick else (0.9, 0.6, 0.2):
        yield "pram", f"keeps {share:.0%}", m.Pram(columns=keys, retention=share)
    yield "permute", "", m.Permute(columns=keys)
