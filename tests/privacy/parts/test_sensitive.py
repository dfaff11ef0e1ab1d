"""Sensitive columns of every kind, beside plain counting."""

from __future__ import annotations

import polars as pl
import pytest

from microveil.privacy.alpha_k_anonymity import AlphaKAnonymity
from microveil.privacy.beta_likeness import BetaLikeness
from microveil.privacy.delta_disclosure import DeltaDisclosure
from microveil.privacy.l_diversity import LDiversity
from microveil.privacy.parts.sensitive import SensitiveModel
from microveil.privacy.t_closeness import TCloseness
from microveil.tables import Classes, LazyTable, Roles, Table
from microveil.tables.kinds import has_order
from tests.conformance import cases
from tests.privacy import naive

ROLES = Roles(quasi_identifiers=["sex"], sensitive=["x"])
MODELS = [
    AlphaKAnonymity(alpha=0.5, k=2),
    BetaLikeness(beta=1, kind="enhanced"),
    DeltaDisclosure(delta=1),
    LDiversity(l=2),
    LDiversity(l=2, kind="entropy"),
    LDiversity(l=2, kind="recursive", c=2),
    TCloseness(t=0.2),
]
columns = pytest.mark.parametrize("column", list(cases.COLUMNS))


@columns
@pytest.mark.parametrize("height", [0, 1, 8])
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.title)
def test_it_is_read_in_memory_as_streamed(model: SensitiveModel, height: int, column: str) -> None:
    frame = cases.frame_with(cases.COLUMNS[column]).head(height)
    eager = model.verify(Classes.of(Table(frame, ROLES)))
    lazy = model.verify(Classes.of(LazyTable(frame.lazy(), ROLES)))
    assert eager.to_dict() == lazy.to_dict()
    assert eager.holds == (eager.n_broken == 0)


@columns
def test_values_are_told_apart_as_python_tells_them_apart(column: str) -> None:
    frame = cases.frame_with(cases.COLUMNS[column])
    groups = naive.groups([(row["sex"], row["x"]) for row in frame.to_dicts()])
    check = LDiversity(l=2).check(frame, ROLES)
    assert check.achieved == min(len(set(values)) for values in groups.values())


@columns
def test_what_has_an_order_is_ordered_by_value(column: str) -> None:
    frame = cases.frame_with(cases.COLUMNS[column])
    if not has_order(frame.schema["x"]):
        pytest.skip("no order of its own")
    ranks = frame.with_columns(pl.col("x").to_physical().rank("dense").cast(pl.Int64))
    if isinstance(frame.schema["x"], pl.Enum):
        ranks = frame.with_columns(pl.col("x").to_physical().cast(pl.Int64))
    model = TCloseness(t=0.2, distance="ordered")
    assert model.check(frame, ROLES).achieved == model.check(ranks, ROLES).achieved
