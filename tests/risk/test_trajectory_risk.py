"""The risks that scikit-mobility publishes for its seven people, and what goes beyond them."""

from __future__ import annotations

from itertools import product
from typing import Any

import polars as pl
import pytest

import microveil as mv

A, B, C, D = (
    (43.8430139, 10.507994),
    (43.54427, 10.32615),
    (43.70853, 10.4036),
    (43.77925, 11.24626),
)
_SEEN: list[tuple[int, tuple[float, float], str]] = [
    (1, A, "03 08"), (1, B, "03 09"), (1, C, "03 10"), (1, D, "04 10"),
    (2, A, "03 08"), (2, C, "03 09"), (2, A, "04 10"), (2, B, "04 11"),
    (3, B, "03 08"), (3, C, "03 09"), (3, A, "04 10"), (3, D, "04 11"),
    (4, C, "04 10"), (4, B, "04 11"), (4, D, "04 12"),
    (5, C, "04 10"), (5, D, "04 11"), (5, A, "05 12"),
    (6, A, "04 10"), (6, B, "04 11"),
    (7, A, "04 10"), (7, A, "04 11"), (7, D, "05 12"),
]  # fmt: skip
TOY = pl.DataFrame(
    {
        "uid": [who for who, _, _ in _SEEN],
        "lat": [where[0] for _, where, _ in _SEEN],
        "lng": [where[1] for _, where, _ in _SEEN],
        "datetime": pl.Series([f"2011-02-{when}:34:04" for _, _, when in _SEEN]).str.to_datetime(),
    }
)
ROLES = mv.Roles(entity="uid")
PUBLISHED: list[tuple[str, int, dict[str, Any], list[float]]] = [
    ("locations", 2, {}, [1 / 3, 1 / 2, 1 / 3, 1 / 3, 1 / 4, 1 / 4, 1 / 2]),
    ("locations", 3, {}, [1 / 2, 1, 1 / 2, 1 / 3, 1 / 3, 1 / 4, 1]),
    ("sequence", 2, {}, [1 / 2, 1 / 2, 1, 1 / 2, 1, 1 / 3, 1 / 2]),
    ("sequence", 3, {}, [1, 1, 1, 1, 1, 1 / 3, 1]),
    ("time", 2, {"precision": "hour"}, [1, 1, 1, 1, 1, 1 / 2, 1]),
    ("time", 2, {"precision": "month"}, [1 / 3, 1 / 2, 1 / 3, 1 / 3, 1 / 4, 1 / 4, 1 / 2]),
    ("time", 3, {"precision": "month"}, [1 / 2, 1, 1 / 2, 1 / 3, 1 / 3, 1 / 4, 1]),
    ("unique_locations", 2, {}, [1 / 3, 1 / 4, 1 / 3, 1 / 3, 1 / 4, 1 / 4, 1 / 4]),
    ("unique_locations", 3, {}, [1 / 2, 1 / 3, 1 / 2, 1 / 3, 1 / 3, 1 / 4, 1 / 4]),
    ("frequency", 2, {}, [1 / 3, 1, 1 / 3, 1 / 3, 1 / 3, 1 / 3, 1]),
    ("probability", 2, {}, [1 / 2, 1, 1 / 2, 1, 1, 1, 1]),
]


def risk(knows: str, m: int, **settings: Any) -> mv.TrajectoryRisk:
    fields = {"columns": ["lat", "lng"], "time": "datetime", "m": m, "knows": knows, **settings}
    return mv.TrajectoryRisk(**fields)


@pytest.mark.parametrize(("knows", "m", "settings", "expected"), PUBLISHED)
def test_the_published_risks(
    knows: str, m: int, settings: dict[str, Any], expected: list[float]
) -> None:
    score = risk(knows, m, **settings).measure(TOY, roles=ROLES)
    assert score.records is not None
    of_person = dict(zip(TOY["uid"], score.records, strict=True))
    assert list(of_person.values()) == pytest.approx(expected)
    assert score.value == max(expected)
    assert score.parts["mean_risk"] == pytest.approx(sum(expected) / 7)
    assert score.parts["n_unique"] == expected.count(1)


def test_more_known_points_never_lower_a_risk() -> None:
    for knows, m in product(("locations", "sequence", "time", "frequency"), (1, 2, 3)):
        fewer, more = (risk(knows, n).measure(TOY, roles=ROLES) for n in (m, m + 1))
        assert fewer.records is not None
        assert more.records is not None
        assert (fewer.records <= more.records).all()


def test_rows_that_nobody_can_link_are_points_alone() -> None:
    release = mv.run(mv.Recipe(roles=ROLES, steps=[mv.Drop(columns=["uid"])]), TOY)
    assert risk("locations", 2).measure(release.table).value == pytest.approx(1 / 5)


def test_a_requirement_limits_it() -> None:
    limit = mv.limit(risk("locations", 2), at_most=0.34)
    step = mv.AnonymizePaths(columns=["lat", "lng"], time="datetime", k=3)
    assert not mv.run(mv.Recipe(roles=ROLES, keep=["uid"], require=[limit]), TOY).checks[0].holds
    safe = mv.run(mv.Recipe(roles=ROLES, keep=["uid"], steps=[step], require=[limit]), TOY)
    assert safe.checks[0].holds
    assert safe.data.height == TOY.height


def test_an_empty_table_and_empty_paths_have_no_risk() -> None:
    assert risk("locations", 2).measure(TOY.head(0), roles=ROLES).value == 0
    blank = TOY.with_columns(lat=None, lng=None)
    assert risk("sequence", 2).measure(blank, roles=ROLES).value == 0
