"""What pyCANON 1.3.6 says about Adult, where it is right.

Its entropy l is our number cut to a whole one; its t is our equal distance for text and our
ordered distance for numbers. Left out: its recursive c (a whole number), its enhanced β (the
smaller of two maxima over different values) and its δ (absent values are skipped).
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

from microveil.privacy.k_anonymity import KAnonymity
from microveil.privacy.parts.reached import strictest_parameters
from microveil.tables import Classes, Roles, Table

PATH = Path(__file__).parents[1] / "data" / "adult" / "adult.parquet"


class Theirs(NamedTuple):
    keys: tuple[str, ...]
    sensitive: str
    k: int
    alpha: float
    l: int  # noqa: E741  the model's own letter
    entropy_l: int
    beta: float
    t: float


CASES = [
    Theirs(
        ("sex", "race", "marital-status"),
        "occupation", 1, 1.0, 1, 1, 36.23703703703704, 0.8766328492805519,
    ),
    Theirs(
        ("sex", "workclass"),
        "occupation", 5, 0.4587378640776699, 3, 2, 46.57413249211357, 0.7786618924474505,
    ),
    Theirs(
        ("sex", "workclass"),
        "age", 5, 0.2222222222222222, 5, 5, 82.78333333333333, 0.28722560147036985,
    ),
    Theirs(
        ("sex",), "age", 9782, 0.03465548967491311, 71, 49, 2.08341852381926, 0.02199005276439445
    ),
    Theirs(
        ("education",),
        "occupation", 45, 0.8173431734317343, 8, 1, 14.365257259296992, 0.6834661095765524,
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    "theirs", CASES, ids=lambda case: f"{','.join(case.keys)}|{case.sensitive}"
)
def test_the_same_numbers_come_out(theirs: Theirs) -> None:
    column = theirs.sensitive
    roles = Roles(quasi_identifiers=theirs.keys, sensitive=[column])
    found = strictest_parameters(Classes.of(Table(pl.read_parquet(PATH), roles)))
    assert found["k_anonymity"] == theirs.k
    assert found["alpha_k_anonymity"][column] == pytest.approx(theirs.alpha, rel=1e-12)
    assert found["l_diversity"][column]["distinct"] == theirs.l
    assert math.floor(found["l_diversity"][column]["entropy"]) == theirs.entropy_l
    assert found["beta_likeness"][column]["basic"] == pytest.approx(theirs.beta, rel=1e-12)
    distance = "ordered" if column == "age" else "equal"
    assert found["t_closeness"][column][distance] == pytest.approx(theirs.t, rel=1e-9)


def test_a_unique_record_with_a_missing_key_is_seen_where_pycanon_drops_it() -> None:
    frame = {"sex": ["f"] * 4 + [None]}
    assert KAnonymity(k=2).check(frame, Roles(quasi_identifiers=["sex"])).achieved == 1
