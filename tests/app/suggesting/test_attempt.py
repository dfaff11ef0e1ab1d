"""Whatever is proposed runs and holds, for tables of every shape."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.studies.examples import EXAMPLES

N = 400


def made(shape: str) -> tuple[pl.DataFrame, mv.Roles]:
    """A table of a kind that people have."""
    rng = np.random.default_rng(7)
    person = rng.integers(0, N // 3, N)
    shapes: dict[str, dict[str, Any]] = {
        "dates": {"birth": [f"{d:02d}/{m:02d}/{y}" for d, m, y in _days(rng)], "sex": _sexes(rng)},
        "regions": {"region": rng.choice([f"R{i}" for i in range(50)], N), "sex": _sexes(rng)},
        "words": {"place": rng.choice(_words(rng, 80), N), "sex": _sexes(rng)},
        "diagnoses": {"icd": [f"{c}{n:02d}.{d}" for c, n, d in _codes(rng)], "sex": _sexes(rng)},
        "bands": {"age": rng.choice(["5-9", "10-14", "15-19", "20-64", "65+"], N),
                  "sex": _sexes(rng)},
        "rows": {"pid": person, "year": rng.integers(2018, 2023, N), "sex": _sexes(rng)[person]},
        "homes": {"hh": person, "area": person % 9, "age": rng.integers(0, 99, N)},
        "gaps": {"age": [None if a > 80 else a for a in rng.integers(0, 99, N).tolist()],
                 "sex": _sexes(rng)},
        "empty": {"age": rng.integers(0, 99, N), "sex": [None] * N},
        "constant": {"age": [7] * N, "sex": _sexes(rng)},
        "unique": {"age": np.arange(N), "pay": rng.normal(size=N)},
        "booleans": {"flag": rng.random(N) < 0.01, "sex": _sexes(rng)},
        "strata": {"stratum": [*range(4), *([4] * (N - 4))], "age": rng.integers(0, 99, N)},
        "wide": {f"q{i}": rng.integers(1, 6, N) for i in range(14)},
    }  # fmt: skip
    roles = {
        "rows": mv.Roles(quasi_identifiers=["year", "sex"], entity="pid"),
        "homes": mv.Roles(quasi_identifiers=["area", "age"], household="hh"),
        "strata": mv.Roles(quasi_identifiers=["age"], strata=["stratum"]),
        "wide": mv.Roles(
            quasi_identifiers=["q0", "q1", "q2"], scenarios={"other": ["q3", "q4", "q5"]}
        ),
    }.get(shape)
    frame = pl.DataFrame(shapes[shape])
    keys = [name for name in frame.columns if name != "pay"]
    roles = roles or mv.Roles(quasi_identifiers=keys)
    others = [name for name in frame.columns if name not in roles.named]
    return frame, roles.model_copy(update={"insensitive": tuple(others)})


def _sexes(rng: np.random.Generator) -> np.ndarray:
    return rng.choice(["f", "m"], N)


def _days(rng: np.random.Generator) -> list[tuple[int, int, int]]:
    drawn = rng.integers([1, 1, 1930], [29, 13, 2010], (N, 3))
    return [(int(d), int(m), int(y)) for d, m, y in drawn]


def _words(rng: np.random.Generator, n: int) -> list[str]:
    return ["".join(rng.choice(list("abcdefgh"), 6)) for _ in range(n)]


def _codes(rng: np.random.Generator) -> list[tuple[str, int, int]]:
    drawn = rng.integers(0, [5, 20, 5], (N, 3))
    return [("ABCEI"[c], int(n) + 10, int(d)) for c, n, d in drawn]


SHAPES = ["dates", "regions", "words", "diagnoses", "bands", "rows", "homes", "gaps", "empty",
          "constant", "unique", "booleans", "strata", "wide"]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("k", [3, 20])
def test_a_proposal_runs_and_holds(shape: str, k: int) -> None:
    frame, roles = made(shape)
    proposal = mv.propose(frame, roles, k=k)
    release = mv.run(proposal.recipe, frame)
    assert release.holds
    assert release.data.height == frame.height
    for keys in roles.key_sets().values():
        left = [name for name in keys if name in release.data.columns]
        if left and roles.entity is None:
            assert min(Counter(release.data.select(left).rows()).values()) >= k
    if shape == "rows":
        holders = defaultdict(set)
        for who, row in zip(
            frame["pid"], release.table.frame.select("year", "sex").rows(), strict=True
        ):
            holders[row].add(who)
        assert min(map(len, holders.values())) >= k


@pytest.mark.parametrize("shape", ["dates", "regions", "words", "diagnoses", "bands", "gaps"])
def test_no_column_is_made_constant_where_something_else_serves(shape: str) -> None:
    frame, roles = made(shape)
    assert not [column.name for column in mv.propose(frame, roles, k=3).columns if column.gone]


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name != "squares"])
def test_every_example_is_protected(name: str) -> None:
    frame = EXAMPLES[name].draw(600, 1)
    release = mv.protect(frame)
    assert release.holds
    assert release.data.height == frame.height


def test_a_table_of_fewer_than_k_people_is_refused_in_one_sentence() -> None:
    with pytest.raises(mv.InputError, match="Lower k"):
        mv.propose({"age": [1, 2, 3]}, mv.Roles(quasi_identifiers=["age"]), k=5)


def test_strata_that_tell_a_coarsened_key_are_left_out_and_named() -> None:
    rng = np.random.default_rng(2)
    region = rng.integers(0, 40, 400)
    frame = pl.DataFrame(
        {
            "region": [f"town {one}" for one in region],
            "age": rng.integers(18, 90, 400),
            "stratum": region + 100,
        }
    )
    roles = mv.Roles(quasi_identifiers=["region", "age"], strata=["stratum"])
    found = mv.propose(frame, roles, k=10)
    assert "stratum" not in found.release.data.columns
    assert any("'stratum' tell 'region'" in reason for reason in found.reasons)
