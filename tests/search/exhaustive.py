"""An exhaustive search written from the definitions, to lay every strategy beside."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product
from typing import Any

import polars as pl
import pytest
from hypothesis import assume
from hypothesis import strategies as st

from microveil.privacy import KAnonymity, PrivacyModel
from microveil.search.lattice.lattice_search import search_lattice
from microveil.search.lattice.result import SearchResult
from microveil.tables import Classes, Roles, Table

TREES: dict[str, dict[str, Any]] = {
    "a": {"x": ["1", "2"], "y": ["3", "4", "5"]},
    "b": {"u": {"p": ["1", "2"], "q": ["3"]}, "v": {"r": ["4"]}},
    "c": {"m": ["1", "2"]},
}
KEYS = tuple(TREES)
LABELS: dict[str, list[dict[str | None, str | None]]] = {
    "a": [{}, {"1": "x", "2": "x", "3": "y", "4": "y", "5": "y"}],
    "b": [{}, {"1": "p", "2": "p", "3": "q", "4": "r"}, {"1": "u", "2": "u", "3": "u", "4": "v"}],
    "c": [{}, {"1": "m", "2": "m"}],
}
HIERARCHIES = {name: {"tree": tree} for name, tree in TREES.items()}
ROLES = Roles(quasi_identifiers=KEYS, sensitive=["s"])
TOPS = (2, 3, 2)
LEAVES = {"a": 5, "b": 4, "c": 2}

rows = st.tuples(
    st.sampled_from(["1", "2", "3", "4", "5", None]),
    st.sampled_from(["1", "2", "3", "4"]),
    st.sampled_from(["1", "2"]),
    st.integers(0, 2),
)
tables = st.lists(rows, min_size=2, max_size=30)


def frame_of(some: list[Any]) -> pl.DataFrame:
    kinds = dict.fromkeys(KEYS, pl.String) | {"s": pl.Int64}
    return pl.DataFrame(some, schema=kinds, orient="row")


def table(n: int = 60) -> pl.DataFrame:
    return frame_of([(str(i % 5 + 1), str(i % 4 + 1), str(i % 2 + 1), i % 3) for i in range(n)])


def label(key: str, value: str | None, level: int) -> str | None:
    """A value at a level, read off the trees by hand."""
    if level == TOPS[KEYS.index(key)]:
        return "*"
    return value if level == 0 or value is None else LABELS[key][level][value]


def generalized(frame: pl.DataFrame, levels: tuple[int, ...]) -> pl.DataFrame:
    columns = {
        key: [label(key, value, level) for value in frame[key]]
        for key, level in zip(KEYS, levels, strict=True)
    }
    return frame.with_columns(
        pl.Series(name, got, dtype=pl.String) for name, got in columns.items()
    )


def suppressed(frame: pl.DataFrame, models: list[PrivacyModel]) -> list[bool]:
    """Remove the classes that break a promise until none does; the models themselves judge."""
    out = [False] * frame.height
    while not all(out):
        kept = [i for i, gone in enumerate(out) if not gone]
        classes = Classes.of(Table(frame[kept], ROLES), KEYS)
        broken = {int(one) for model in models for one in model.verify(classes).broken_in}
        if not broken:
            break
        for i, number in zip(kept, classes.record_class, strict=True):
            out[i] = out[i] or int(number) in broken
    return out


def share(key: str, value: str | None, level: int) -> float:
    """Share of a key's values under the label of a value."""
    leaves = [str(one) for one in range(1, LEAVES[key] + 1)]
    top = TOPS[KEYS.index(key)]
    if level == top:
        return 1.0
    if value is None:
        return 1 / len(leaves)
    same = [one for one in leaves if label(key, one, level) == label(key, value, level)]
    return len(same) / len(leaves)


def plain_loss(
    frame: pl.DataFrame, levels: tuple[int, ...], out: list[bool], how: dict[str, Any]
) -> float:
    """The losses of ARX, each written as its formula."""
    name, gs = how["loss"], how.get("generalization_share", 0.5)
    n, s_factor, g_factor = frame.height, min(1, 2 * gs), min(1, 2 - 2 * gs)
    now = list(zip(*(generalized(frame, levels)[key] for key in KEYS), strict=True))
    kept = Counter(row for row, gone in zip(now, out, strict=True) if not gone)
    n_out = sum(out)
    if name == "discernibility":
        return sum(size**2 for size in kept.values()) + n_out * n
    if name == "average_class_size":
        parts = s_factor * len(kept) + (g_factor if n_out else 0)
        return n / parts if parts else math.inf
    if name == "height":
        return sum(levels)
    if name == "ambiguity":
        total = 0.0
        for row, gone in zip(frame.select(KEYS).iter_rows(), out, strict=True):
            area = math.prod(
                1 if gone else share(key, value, level)
                for key, value, level in zip(KEYS, row, levels, strict=True)
            )
            total += area * math.prod(LEAVES.values())
        return total
    losses = [
        key_loss(frame[key].to_list(), key, level, out, (name, s_factor, g_factor))
        for key, level in zip(KEYS, levels, strict=True)
    ]
    if name == "loss":
        return math.prod(1 + one for one in losses) ** (1 / len(losses)) - 1
    return sum(losses) / (len(losses) if name == "precision" else 1)


def key_loss(
    values: list[str | None],
    key: str,
    level: int,
    out: list[bool],
    how: tuple[str, float, float],
) -> float:
    """The loss of one key."""
    (name, s_factor, g_factor), n, n_out = how, len(values), sum(out)
    if name == "precision":
        top = TOPS[KEYS.index(key)]
        return ((n - n_out) * level / top * g_factor + n_out * s_factor) / n
    if name == "loss":
        total = 0.0
        for value, gone in zip(values, out, strict=True):
            part = share(key, value, level)
            total += part + s_factor * (1 - part) if gone else part * g_factor
        shift = g_factor * n / LEAVES[key]
        return math.floor(max((total - shift) / (n - shift), 0) * 1e10) / 1e10
    labels = [label(key, value, level) for value in values]
    mine, theirs = Counter(values), Counter(labels)
    bits = -sum(
        math.log2(mine[value] / theirs[one]) for value, one in zip(values, labels, strict=True)
    )
    gone_labels = Counter(one for one, gone in zip(labels, out, strict=True) if gone)
    extra = -sum(z * math.log2(z / n_out) for z in gone_labels.values())
    return g_factor * bits + s_factor * extra


def exhaustive(
    frame: pl.DataFrame, models: list[PrivacyModel], most: int, how: dict[str, Any]
) -> dict[tuple[int, ...], tuple[float, int]]:
    """Loss and suppressed records of every solution."""
    found = {}
    for levels in product(*(range(top + 1) for top in TOPS)):
        out = suppressed(generalized(frame, levels), models)
        if sum(out) <= most and not all(out):
            found[levels] = plain_loss(frame, levels, out, how), sum(out)
    return found


def assume_values(frame: pl.DataFrame) -> None:
    # A key without any value has nothing to lose, not even in a removed record.
    assume(all(frame[name].null_count() < frame.height for name in ROLES.quasi_identifiers))


def agrees(frame: pl.DataFrame, models: list[PrivacyModel], how: dict[str, Any]) -> None:
    assume_values(frame)
    most = math.floor(how.get("suppression_share", 0) * frame.height + 1e-9)
    solutions = exhaustive(frame, models, most, {"loss": "loss"} | how)
    result = search_lattice(frame, ROLES, models=models, hierarchies=HIERARCHIES, **how)
    if not solutions:
        assert result.optimum is None
        return
    best = result.optimum
    assert best is not None
    assert best.loss is not None
    levels = tuple(best.levels.values())
    least = min(loss for loss, _ in solutions.values())
    if result.proved:
        assert best.loss == pytest.approx(least, rel=1e-9, abs=1e-9)
    assert best.loss == pytest.approx(solutions[levels][0], rel=1e-9, abs=1e-9)
    assert best.n_suppressed == solutions[levels][1]
    for node in result.nodes():
        if node.solution is not None:
            assert node.solution == (tuple(node.levels.values()) in solutions)


LOSSES = (
    "loss",
    "precision",
    "discernibility",
    "average_class_size",
    "height",
    "non_uniform_entropy",
    "ambiguity",
)

problems = st.tuples(
    tables.filter(lambda some: len(some) > 3),
    st.integers(2, 4),
    st.sampled_from([0.0, 0.1, 0.3, 1.0]),
    st.sampled_from(LOSSES),
    st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
)
"""Records, k, the share that may be suppressed, a loss, and its weight of generalisation."""


def finds_the_optimum(problem: tuple[list[Any], int, float, str, float], strategy: str) -> None:
    """Lay a strategy for any problem beside the exhaustive search."""
    some, k, allowed, loss, weight = problem
    how = {"suppression_share": allowed, "loss": loss, "strategy": strategy}
    agrees(frame_of(some), [KAnonymity(k=k)], how | {"generalization_share": weight})


monotone_problems = st.tuples(
    tables.filter(lambda some: len(some) > 3), st.integers(2, 4), st.sampled_from([0.0, 0.2])
)
"""Records, k, and the share that may be suppressed."""


def searched(problem: tuple[list[Any], int, float], strategy: str) -> SearchResult:
    """The result of a strategy for monotone problems, after laying it beside the search of all."""
    some, k, allowed = problem
    frame = frame_of(some)
    agrees(frame, [KAnonymity(k=k)], {"suppression_share": allowed, "strategy": strategy})
    return search_lattice(
        frame,
        ROLES,
        k=k,
        hierarchies=HIERARCHIES,
        suppression_share=allowed,
        strategy=strategy,
    )


def decides_every_node(problem: tuple[list[Any], int, float], strategy: str) -> None:
    """Every node is decided, and the minimal solutions are those below which there is none."""
    result = searched(problem, strategy)
    assert all(node.solution is not None for node in result.nodes())
    found = {tuple(node.levels.values()) for node in result.nodes() if node.solution}
    minimal = {
        levels
        for levels in found
        if not any(
            other != levels and all(a <= b for a, b in zip(other, levels, strict=True))
            for other in found
        )
    }
    assert {tuple(node.levels.values()) for node in result.minimal} == minimal
