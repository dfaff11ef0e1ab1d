from __future__ import annotations

import polars as pl

from microveil.risk.record_linkage import RecordLinkage
from tests.risk.linkage.cases import linked


def test_a_hierarchy_makes_a_generalised_value_near_to_what_it_stands_for() -> None:
    tree = {"tree": {"north": ["a", "b"], "south": ["c", "d"]}}
    frame = pl.DataFrame({"town": ["a", "b", "c", "d"], "x": [0, 1, 1, 2]})
    general = frame.with_columns(town=pl.Series(["north", "b", "south", "*"]))
    plain = RecordLinkage(weights={"x": 0}).measure(frame, general)
    assert plain.records is not None
    # Nobody can read north and south without the hierarchy; * may stand for all four.
    assert plain.records.tolist() == [0, 1, 0, 1]
    measure = RecordLinkage.parse(
        {"name": "record_linkage", "weights": {"x": 0}, "hierarchies": {"town": tree}}
    )
    # a: only north and * stand for it, and north is narrower; d: south is narrower than *.
    found = measure.measure(frame, general).records
    assert found is not None
    assert found.tolist() == [1, 1, 1, 0]
    agreeing = RecordLinkage.parse(measure.to_dict() | {"method": "probabilistic"})
    assert agreeing.measure(frame, general).value > 0.25


def test_a_column_that_changed_its_kind_is_compared_as_text() -> None:
    frame = pl.DataFrame({"x": [1, 2, 3]})
    assert linked(frame, frame.with_columns(pl.col("x").cast(pl.String))) == 1


def test_a_smaller_weight_hides_a_telling_column() -> None:
    before = {"a": [0.0, 1, 2, 3], "b": [0.0, 1, 2, 3]}
    after = {"a": [0.0, 1, 2, 3], "b": [3.0, 2, 1, 0]}
    assert linked(before, after, weights={"b": 0.01}) == 1
    assert linked(before, after, weights={"a": 0.01}, worst_columns=False) == 0
    assert linked(before, after, weights={"a": 0.01}) == 1  # b may be left out
