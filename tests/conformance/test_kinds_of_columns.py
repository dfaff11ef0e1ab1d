"""Every kind of column × every writer, report and use case: kept, refused in a line, or said."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import microveil as mv
from microveil.files.reading_back import as_stored
from microveil.tables.kinds import is_nested

N = 12


def cells(*some: Any, dtype: Any = None) -> pl.Series:
    return pl.Series((list(some) * N)[:N], dtype=dtype)


DAY, LATER = dt.datetime(2020, 1, 1, 1, 2, 3, 4), dt.datetime(1999, 7, 1)  # noqa: DTZ001  without a zone
KINDS: dict[str, pl.Series] = {
    "duration": cells(dt.timedelta(seconds=5), dt.timedelta(days=2), None),
    "time": cells(dt.time(1, 2, 3), dt.time(23, 59, 59, 999), None),
    "binary": cells(b"ab", b"\xff\xfe", None),
    "int128": cells(2**100, 5, None, dtype=pl.Int128),
    "uint64": cells(2**64 - 1, 5, None, dtype=pl.UInt64),
    "decimal": cells(Decimal("1.50"), Decimal("2.25"), None),
    "infinite": cells(float("inf"), 1.5, -float("inf")),
    "nan": cells(float("nan"), 1.5, 2.5),
    "largest": cells(1.7e308, -1.7e308, 5e-324, -0.0),
    "object": cells(object(), dtype=pl.Object),
    "nested": cells({"a": [{"b": None}]}, {"a": []}, {"a": None}),
    "list": cells([1, 2], [3], None),
    "struct": cells({"a": 1}, {"a": 2}, None),
    "category": cells("a", "b", None, dtype=pl.Categorical),
    "enum": cells("a", "b", None, dtype=pl.Enum(["b", "a"])),
    "old": cells(dt.date(1850, 1, 1), dt.date(2020, 5, 5), None),
    "ns": cells(DAY, LATER, None).cast(pl.Datetime("ns")),
    "zone": cells(DAY, LATER, None).dt.replace_time_zone("Europe/Berlin"),
    "nothing": pl.Series([None] * N),
    "truth": cells(True, False, None),
    "blank": cells("a", "", "b ", None),
    "new\nline": cells("x", "y"),
}
ENDINGS = ("csv", "parquet", "xlsx", "ods", "jsonl", "json", "sav", "dta", "sqlite", "duckdb")


def frame_of(kind: str) -> pl.DataFrame:
    people = {"sex": cells("f", "m"), "age": cells(20, 30, 40)}
    return pl.DataFrame(people).with_columns(KINDS[kind].alias(kind))


def in_a_sentence(work: Callable[[], Any]) -> Any:
    """What the work gives; None if it is refused in one line by an error of ours."""
    try:
        return work()
    except mv.MicroveilError as error:
        assert "\n" not in str(error)  # noqa: PT017  either is right
        assert not isinstance(error, mv.InternalError)  # noqa: PT017  likewise
        return None


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_writer_keeps_refuses_or_says(kind: str, ending: str, tmp_path: Path) -> None:
    frame, path = frame_of(kind), tmp_path / f"t.{ending}"
    table: Any = {"table": "t"} if ending in ("sqlite", "duckdb") else {}
    recipe = mv.Recipe(roles=mv.Roles(insensitive=["sex", "age"], quasi_identifiers=[kind]))
    report = in_a_sentence(lambda: mv.run(recipe, frame).write(path, keep_order=True, **table))
    if report is None:
        assert not path.exists()
        return
    assert report.read_back
    back = mv.read(path, **table)
    assert back.height == N
    # A release has one meaning of missing already.
    meant = mv.run(recipe, frame).data
    if not report.changed and back[kind].dtype == meant[kind].dtype:
        assert_frame_equal(back, as_stored(meant, meant.schema), categorical_as_str=True)


@pytest.mark.parametrize("role", ["insensitive", "sensitive", "quasi_identifiers"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_report_is_made_of_every_kind(kind: str, role: str, tmp_path: Path) -> None:
    roles: dict[str, list[str]] = {"insensitive": ["age"], "quasi_identifiers": ["sex"]}
    roles[role] = [*roles.get(role, []), kind]
    recipe = mv.Recipe.parse({"roles": roles})
    release = in_a_sentence(lambda: mv.run(recipe, frame_of(kind)))
    if release is None:
        return
    for name, audience in (("r.json", "internal"), ("p.html", "public")):
        path = tmp_path / name
        made = in_a_sentence(lambda: release.report(path, audience=audience))  # noqa: B023  at once
        nested = is_nested(KINDS[kind].dtype)
        assert (made is not None and path.is_file()) or nested


@pytest.mark.parametrize("kind", KINDS)
def test_use_cases_take_every_kind_or_refuse_it(kind: str) -> None:
    frame = frame_of(kind)
    roles = mv.Roles(quasi_identifiers=["sex", kind], insensitive=["age"])
    steps = [{"method": "suppress_records", "k": 2}]
    suppress = mv.Recipe(roles=roles, steps=steps)
    synthesize = mv.Recipe(roles=roles, steps=[{"method": "synthesize"}])
    in_a_sentence(lambda: mv.inspect(frame))
    in_a_sentence(lambda: mv.assess(frame, roles))
    in_a_sentence(lambda: mv.assess(frame, mv.Roles(quasi_identifiers=["sex"])))
    in_a_sentence(lambda: mv.suggest(frame, roles, k=2))
    in_a_sentence(lambda: mv.fit(suppress, frame))
    in_a_sentence(lambda: mv.run(synthesize, frame, seed=1).table)
