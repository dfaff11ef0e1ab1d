from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl

from microveil.synthesis.mst import CHOICE_SHARE, SINGLE_SHARE, Mst
from microveil.synthesis.private.generator import PrivateFitted
from microveil.tables import Table

DOMAIN: dict[str, Any] = {"a": ["0", "1"], "b": ["0", "1"], "c": ["0", "1"], "d": ["0", "1"]}


def chain(n: int = 4000) -> pl.DataFrame:
    """Each column is the one before, changed once in ten records."""
    rng = np.random.default_rng(3)
    columns = [rng.integers(0, 2, n)]
    for _ in range(3):
        columns.append(columns[-1] ^ (rng.random(n) < 0.1))
    return pl.DataFrame({name: one.astype(str) for name, one in zip(DOMAIN, columns, strict=True)})


def learnt(frame: pl.DataFrame, **how: Any) -> PrivateFitted:
    generator = Mst(**{"epsilon": 5.0, "domain": DOMAIN, "insecure": True} | how)
    model = generator.fit(Table(frame), np.random.default_rng(1))
    assert isinstance(model, PrivateFitted)
    return model


def test_the_pairs_measured_are_the_tree_of_the_strongest_relations() -> None:
    pairs = {frozenset(one) for one in learnt(chain()).modelled if len(one) > 1}
    assert pairs == {frozenset("ab"), frozenset("bc"), frozenset("cd")}


def test_columns_choices_and_pairs_share_the_budget_as_stated() -> None:
    stated = learnt(chain()).facts["budget_shares"].items()
    shares = {purpose: Fraction(share) for purpose, share in stated}
    assert shares["columns"] == SINGLE_SHARE
    assert shares["choices"] == CHOICE_SHARE
    assert sum(shares.values()) == 1


def test_one_column_takes_the_whole_budget() -> None:
    model = learnt(chain().select("a"), domain={"a": ["0", "1"]})
    assert model.modelled == (("a",),)
    assert model.facts["budget_shares"] == {"columns": "1"}
