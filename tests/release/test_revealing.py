"""Released columns that tell what a key was before protection are warned about."""

from __future__ import annotations

import math
from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.release.revealing import CHANCE, SAMPLE, find_revealing, told_share, warnings_of

TOWNS = ["Ur"] * 20 + ["Uruk"] * 20 + ["Eridu"] * 20
FRAME = pl.DataFrame(
    {
        "town": TOWNS,
        "code": [{"Ur": 1, "Uruk": 2, "Eridu": 3}[town] for town in TOWNS],
        "income": [1000.0 + 7 * i for i in range(60)],
        "ill": ["flu", "cold", "none"] * 20,
    }
)
STAR = {"hierarchy": "tree", "tree": {"Sumer": ["Ur", "Uruk", "Eridu"]}}


def _starred() -> mv.Generalize:
    raw = {"method": "generalize", "column": "town", "hierarchy": STAR, "level": 1}
    return mv.Generalize.parse(raw)


def _release(*steps: mv.Method) -> mv.Release:
    roles = mv.Roles(
        quasi_identifiers=["town"], sensitive=["income", "ill"], insensitive=["code"]
    )  # fmt: skip
    return mv.run(mv.Recipe(roles=roles, steps=steps, require=[mv.KAnonymity(k=20)]), FRAME)


def test_a_code_that_goes_one_to_one_with_a_starred_key_is_warned_about() -> None:
    release = _release(_starred())
    (caution,) = [one for one in release.cautions if one.kind == "derivable_keys"]
    assert "60 of 'town' from 'code'" in caution.sentence
    assert "Ur" not in caution.sentence
    assert release.warnings == ()  # told once
    pairs = list(find_revealing(release.original, release.whole, ["code"]))
    assert pairs == [("code", "town", 1.0)]


def test_a_mean_by_the_key_is_warned_about_after_the_key_is_gone() -> None:
    means = mv.Aggregate(columns="income", by="town")
    gone = _release(means, mv.Drop(columns=["town"]), mv.Drop(columns=["code"]))
    assert gone.warnings == ()
    assert [(one.by, one.key, one.strict) for one in gone.derivations] == [
        ("income", "town", False)
    ]
    starred = _release(means, _starred(), mv.Drop(columns=["code"]))
    assert [(one.by, one.key) for one in starred.derivations] == [("income", "town")]


def test_a_key_as_it_was_and_columns_that_tell_nothing_are_not_warned_about() -> None:
    assert _release().warnings == ()
    assert _release(_starred(), mv.Drop(columns=["code"])).warnings == ()


def test_removed_records_alone_protect_no_key() -> None:
    assert _release(mv.SuppressRecords(k=2)).warnings == ()


def test_small_tables_are_not_warned_about_by_luck() -> None:
    people = pl.DataFrame({"age": [31, 32, 41, 42], "ill": ["a", "b", "c", "d"], "x": [1, 1, 2, 3]})
    roles = mv.Roles(quasi_identifiers=["age"], sensitive=["ill"], insensitive=["x"])
    steps = [mv.Round(columns=["age"], base=10)]
    assert mv.run(mv.Recipe(roles=roles, steps=steps), people).warnings == ()


def test_exceptions_are_allowed_up_to_a_share() -> None:
    key = pl.Series([1, 2] * 500)
    nearly = key.to_list()
    nearly[:20] = [9 - cell for cell in nearly[:20]]
    mixed = [*nearly[:100], *([1] * 900)]
    assert told_share(key, key) == 1
    assert told_share(pl.Series(mixed), key) < 0.95
    assert told_share(pl.Series([None] * 1000, dtype=pl.Int64), key) == 0
    assert told_share(pl.Series([[1]] * 1000), key) == 0


def test_a_sample_decides_first_on_large_tables() -> None:
    n = 2 * SAMPLE + 2
    key = pl.Series([i % 50 for i in range(n)])
    assert told_share(key + 100, key) == 1
    assert told_share(key // 25, key // 25) == 1  # two values, of which a sample holds all or none
    assert told_share(pl.Series([i % 7 for i in range(n)]), key) == 0


def test_warnings_are_shown_by_run_and_report(tmp_path: Path) -> None:
    FRAME.write_csv(tmp_path / "in.csv")
    recipe = _release(_starred()).recipe
    done = mv.run_file(recipe, tmp_path / "in.csv", tmp_path / "o.csv", report=tmp_path / "r.json")
    assert any("60 of 'town' from 'code'" in one for one in done.to_dict()["warnings"])
    assert done.to_dict()["warnings"] == [*map(str, done.cautions), *done.warnings]
    assert "60 of 'town' from 'code'" in (tmp_path / "r.json").read_text("utf-8")


def test_a_public_report_does_not_help_an_intruder(tmp_path: Path) -> None:
    release = _release(_starred())
    release.report(tmp_path / "r.json", audience="public")
    told = (tmp_path / "r.json").read_text("utf-8")
    assert "from 'code'" not in told
    assert "can be worked out from the rest of the release" in told


@pytest.mark.parametrize("step", ["drop", "star"])
def test_columns_that_do_not_leave_are_not_warned_about(step: str) -> None:
    roles = mv.Roles(quasi_identifiers=["town"], sensitive=["income", "ill"])
    hidden = mv.Drop(columns=["town"]) if step == "drop" else _starred()
    recipe = mv.Recipe(roles=roles, steps=[hidden], undeclared="drop")
    assert mv.run(recipe, FRAME).warnings == ()


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([[1]] * 5 + [[2]] * 5),
        pl.Series([b"a"] * 5 + [b"b"] * 5),
        pl.Series([{"a": 1}] * 5 + [{"a": 2}] * 5),
        pl.Series([object()] * 10, dtype=pl.Object),
    ],
    ids=lambda column: str(column.dtype),
)
def test_cells_that_are_no_single_values_are_not_compared(column: pl.Series) -> None:
    towns, codes = pl.Series([1] * 5 + [2] * 5), pl.Series(["a"] * 5 + ["b"] * 5)
    assert told_share(codes, towns) == 1
    assert told_share(column, towns) == told_share(codes, column) == 0


def test_a_column_that_is_missing_along_with_the_key_reveals_nothing() -> None:
    school, years = ["a", "b", "c"] * 20, [4, 9, 12] * 20
    roles = mv.Roles(quasi_identifiers=["school", "years"])
    original = mv.Table({"school": school, "years": years}, roles)
    together = mv.Table({"school": [None, *school[1:]], "years": [None, *years[1:]]}, roles)
    alone = mv.Table({"school": [None, *school[1:]], "years": years}, roles)
    assert warnings_of(original, together, ["school", "years"]) == ()
    assert len(warnings_of(original, alone, ["school", "years"])) == 1


def test_missing_cells_tell_nothing_beside_those_that_do() -> None:
    towns = pl.Series(["Ur"] * 20 + ["Uruk"] * 20)
    assert told_share(pl.Series([None] * 20 + [7] * 20), towns) == 0.5


def test_values_of_single_records_tell_nothing_beside_those_that_do() -> None:
    towns = pl.Series(["Ur"] * 20 + ["Uruk"] * 20)
    values = pl.Series([0] * 10 + list(range(1, 11)) + [20] * 10 + list(range(21, 31)))
    assert told_share(values, towns) == 0.5


@pytest.mark.parametrize(("more", "told"), [(-1, False), (0, True)])
def test_agreement_counts_from_where_chance_would_hardly_bring_it(more: int, told: bool) -> None:  # noqa: FBT001
    # Half of the records live in each town: a further record agrees by chance half of the times.
    n_repeats = math.ceil(math.log(CHANCE) / math.log(0.5)) + more
    values = ["a"] * (n_repeats + 1) + ["z"] * (n_repeats + 3)
    towns = ["Ur"] * (n_repeats + 2) + ["Uruk"] * (n_repeats + 2)
    share = told_share(pl.Series(values), pl.Series(towns))
    assert share == ((n_repeats + 1) / len(values) if told else 0.0)
