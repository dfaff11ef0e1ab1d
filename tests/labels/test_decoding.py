from __future__ import annotations

import microveil as mv
from microveil.labels.decoding import decode
from tests.utility.cases import people


def test_decoded_labels_are_values_they_cover() -> None:
    frame = people(300, 6)
    after = mv.Mondrian(k=10, columns=["age", "town"]).protect(frame)
    found = decode(mv.Table(frame), mv.Table(after), ("age", "town"), mv.Table(frame))
    assert found["age"].dtype == frame["age"].dtype
    assert set(found["town"].to_list()) <= set(frame["town"].to_list())
    for label, value in zip(after["age"].to_list(), found["age"].to_list(), strict=True):
        ends = [int(end) for end in str(label).strip("[]").split(", ")]
        assert ends[0] <= value <= ends[-1]
    again = decode(mv.Table(frame), mv.Table(after), ("age", "town"), mv.Table(frame))
    assert found.equals(again)
