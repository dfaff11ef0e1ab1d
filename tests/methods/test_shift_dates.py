from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.methods.shift_dates import ShiftDates

KEY = "a long secret key, for tests only"
DAYS = st.dates(date(1950, 1, 1), date(2030, 12, 31))
VISITS = st.lists(st.tuples(st.integers(1, 5), DAYS, st.none() | DAYS), min_size=1, max_size=30)


def example(column: str) -> ShiftDates:
    return ShiftDates(columns=(column,), per="sex")


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROVEIL_KEY", KEY)


def frame_of(visits: list[tuple[int, date, date | None]]) -> pl.DataFrame:
    schema = {"pid": pl.Int64, "came": pl.Date, "left": pl.Date}
    return pl.DataFrame(visits, schema=schema, orient="row")


def shifts_by_person(before: pl.DataFrame, after: pl.DataFrame) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for name in ("came", "left"):
        for person, old, new in zip(before["pid"], before[name], after[name], strict=True):
            assert (old is None) == (new is None)
            if old is not None:
                found.setdefault(person, set()).add((new - old).days)
    return found


@settings(deadline=None)
@given(visits=VISITS, unit=st.sampled_from(["days", "weeks"]))
def test_a_person_has_one_shift_so_that_intervals_are_exact(
    visits: list[tuple[int, date, date | None]], unit: str
) -> None:
    before = frame_of(visits)
    step = ShiftDates.parse({"columns": ["came", "left"], "per": "pid", "unit": unit})
    for shifts in shifts_by_person(before, step.protect(before)).values():
        assert len(shifts) == 1
        assert 0 < abs(next(iter(shifts))) <= 365
        assert unit == "days" or next(iter(shifts)) % 7 == 0


@settings(deadline=None)
@given(visits=VISITS, keep=st.sets(st.sampled_from(["weekday", "season"]), min_size=1))
def test_what_is_kept_stays_true(
    visits: list[tuple[int, date, date | None]], keep: set[str]
) -> None:
    before = frame_of(visits)
    step = ShiftDates.parse(
        {"columns": ["came"], "per": "pid", "keep": sorted(keep), "most_days": 3000}
    )
    for old, new in zip(before["came"], step.protect(before)["came"], strict=True):
        assert "weekday" not in keep or old.weekday() == new.weekday()
        moved = abs(old.timetuple().tm_yday - new.timetuple().tm_yday)
        assert "season" not in keep or min(moved, 366 - moved) <= 16


def test_the_year_is_kept_where_there_is_room() -> None:
    before = pl.DataFrame(
        {"pid": [1, 1, 2], "d": [date(2020, 3, 1), date(2021, 10, 1)] * 1 + [date(2020, 7, 1)]}
    )
    step = ShiftDates(columns="d", per="pid", keep=["year"])
    after = step.protect(before)
    assert after["d"].dt.year().to_list() == [2020, 2021, 2020]
    assert after["d"][1] - after["d"][0] == before["d"][1] - before["d"][0]
    assert not step.row_wise
    stuck = pl.DataFrame({"pid": [1, 1], "d": [date(2020, 1, 1), date(2020, 12, 31)]})
    with pytest.raises(mv.InputError, match="no shift keeps the year"):
        step.protect(stuck)


def test_the_shift_is_the_same_in_other_tables_types_and_runs_and_another_under_another_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people = list(range(50))
    day = date(2020, 5, 5)
    whole = pl.DataFrame({"pid": people, "d": [day] * 50})
    text = pl.DataFrame(
        {"who": [str(one) for one in reversed(people)], "t": [datetime(2020, 5, 5, 7)] * 50}  # noqa: DTZ001  naive on purpose
    )
    first = ShiftDates(columns="d", per="pid").protect(whole)["d"]
    other = ShiftDates(columns="t", per="who").protect(text)["t"]
    assert first.to_list() == [one.date() for one in reversed(other.to_list())]
    assert {one.hour for one in other} == {7}
    assert first.n_unique() > 30
    assert not ShiftDates(columns="d", per="pid", domain="b").protect(whole)["d"].equals(first)
    monkeypatch.setenv("MICROVEIL_KEY", KEY + "2")
    assert not ShiftDates(columns="d", per="pid").protect(whole)["d"].equals(first)


def test_the_entity_is_the_person_and_neither_shift_nor_key_is_told() -> None:
    frame = pl.DataFrame(
        {"pid": [1, 2], "d": [date(2020, 5, 5)] * 2, "paid": [date(2020, 5, 6)] * 2}
    )
    roles = mv.Roles(entity="pid")
    recipe = mv.Recipe(roles=roles, steps=[mv.ShiftDates(columns="d")], keep=["pid", "paid"])
    release = mv.run(recipe, frame)
    facts = release.facts[0].to_dict()
    assert facts["other_dates"] == ["paid"]
    moved = [abs((new - date(2020, 5, 5)).days) for new in release.data["d"]]
    assert all(moved)
    assert not set(moved) & {one for one in facts.values() if isinstance(one, int)}
    assert KEY not in str(facts) + recipe.to_yaml()


def test_births_of_people_above_89_are_blanked_in_all_their_rows() -> None:
    frame = pl.DataFrame(
        {
            "pid": [1, 1, 2],
            "birth": [date(1930, 6, 1), date(1930, 6, 1), date(1930, 6, 2)],
            "seen": [date(2019, 1, 1), date(2020, 6, 1), date(2020, 6, 1)],
        }
    )
    step = ShiftDates(columns=["birth", "seen"], per="pid", birth="birth")
    outcome = step.apply(mv.Table(frame), None)  # type: ignore[arg-type]
    assert outcome.table.frame["birth"].is_null().to_list() == [True, True, False]
    assert outcome.facts["n_births_blanked"] == 2


@pytest.mark.parametrize(
    ("column", "says"),
    [
        (pl.Series([1, 2]), "needs dates"),
        (pl.Series([date(1899, 12, 31), None]), "before 1900"),
        (
            pl.Series([datetime(2020, 1, 1, tzinfo=UTC)] * 2).dt.convert_time_zone("Europe/Madrid"),
            "time zone Europe/Madrid",
        ),
    ],
)
def test_what_cannot_be_shifted_is_refused_in_a_sentence(column: pl.Series, says: str) -> None:
    with pytest.raises(mv.InputError, match=says):
        ShiftDates(columns="d", per="pid").protect(pl.DataFrame({"pid": [1, 2], "d": column}))


def test_earlier_dates_and_utc_are_shifted_if_asked() -> None:
    old = pl.DataFrame({"pid": [1], "d": [date(1850, 1, 1)]})
    step = ShiftDates(columns="d", per="pid", earliest_year=1800)
    assert step.protect(old)["d"][0] != date(1850, 1, 1)
    zoned = pl.DataFrame({"pid": [1], "d": [datetime(2020, 1, 1, 12, tzinfo=UTC)]})
    moved = ShiftDates(columns="d", per="pid").protect(zoned)["d"][0] - zoned["d"][0]
    assert moved % timedelta(days=1) == timedelta(0)


def test_rows_without_a_person_are_refused() -> None:
    frame = pl.DataFrame({"pid": [1, None], "d": [date(2020, 1, 1)] * 2})
    with pytest.raises(mv.InputError, match="1 row has no person in column 'pid'"):
        ShiftDates(columns="d", per="pid").protect(frame)
    with pytest.raises(mv.InputError, match=r"name the column in `per`, or in roles\.entity"):
        ShiftDates(columns="d").protect(frame)


@pytest.mark.parametrize("unit", ["days", "weeks"])
@pytest.mark.parametrize("keep", [[], ["season"], ["weekday", "season"]])
def test_every_policy_leaves_room(unit: str, keep: list[str]) -> None:
    step = ShiftDates.parse({"columns": "d", "most_days": 7, "unit": unit, "keep": keep})
    assert {-7, 7} <= set(step.candidates().tolist()) <= {*range(-7, 8)} - {0}


def test_without_a_key_nothing_is_shifted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MICROVEIL_KEY")
    with pytest.raises(mv.InputError, match="no key"):
        ShiftDates(columns="d", per="d").protect({"d": [date(2020, 1, 1)]})
