"""Conformance: a recipe worked through in parts gives what it gives on the whole table."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import microveil as mv
from microveil.app import run_file
from microveil.planning import files

START = datetime(2024, 1, 1)  # noqa: DTZ001  a clock on the wall
TOWNS = ["Ås", "Bø", "Ænes", "Évry", "東京"]
ROLES = {"quasi_identifiers": ["age", "sex", "town"], "sensitive": ["ill"]}
HIERARCHIES = {
    "age": {"hierarchy": "intervals", "width": 10},
    "town": {"tree": {"north": ["Ås", "Bø", "Ænes"], "south": ["Évry", "東京"]}},
}
BY_FREQUENCY = {"hierarchy": "frequency", "min_counts": [100, 250]}
DETERMINISTIC: dict[str, list[dict[str, Any]]] = {
    "suppress_records": [{"method": "suppress_records", "k": 3}],
    "suppress_acceptable": [{"method": "suppress_records", "k": "acceptable"}],
    "suppress_wildcard": [{"method": "suppress_records", "k": 3, "missing": "wildcard"}],
    "group_rare": [{"method": "group_rare", "columns": ["town", "age"], "min_count": 40}],
    "group_rare_share": [
        {"method": "group_rare", "columns": ["age"], "min_share": 0.02, "label": None}
    ],
    "datafly": [{"method": "datafly", "k": 5, "hierarchies": HIERARCHIES}],
    "optimal_generalization": [
        {
            "method": "optimal_generalization",
            "k": 5,
            "hierarchies": HIERARCHIES,
            "suppression_share": 0.05,
        }
    ],
    "optimal_with_models": [
        {
            "method": "optimal_generalization",
            "k": 3,
            "models": [{"model": "l_diversity", "l": 2, "column": "ill"}],
            "hierarchies": HIERARCHIES,
            "suppression_share": 0.1,
        }
    ],
    "incognito": [{"method": "incognito", "k": 5, "hierarchies": HIERARCHIES}],
    "mondrian": [{"method": "mondrian", "k": 5}],
    "mondrian_with_models": [
        {
            "method": "mondrian",
            "k": 3,
            "hierarchies": HIERARCHIES,
            "models": [{"model": "l_diversity", "l": 2, "column": "ill"}],
        }
    ],
    "top_bottom_code": [
        {"method": "top_bottom_code", "columns": ["pay"], "top_share": 0.05, "bottom_share": 0.03}
    ],
    "top_mean": [
        {
            "method": "top_bottom_code",
            "columns": ["pay", "born"],
            "top_share": 0.05,
            "replace_by": "mean",
        }
    ],
    "round": [{"method": "round", "columns": ["pay"], "base": 100}],
    "generalize_by_values": [
        {"method": "generalize", "column": "age", "hierarchy": {"hierarchy": "types"}, "level": 1}
    ],
    "generalize_by_frequency": [
        {"method": "generalize", "column": "town", "hierarchy": BY_FREQUENCY, "level": 1}
    ],
    "optimal_by_frequency": [
        {
            "method": "optimal_generalization",
            "k": 5,
            "hierarchies": {"town": BY_FREQUENCY, "age": HIERARCHIES["age"]},
            "suppression_share": 0.05,
        }
    ],
    "mondrian_by_frequency": [
        {"method": "mondrian", "k": 5, "hierarchies": {"town": BY_FREQUENCY}}
    ],
    "aggregate": [{"method": "aggregate", "columns": ["pay"], "by": ["sex"], "statistic": "mean"}],
    "microaggregate": [{"method": "microaggregate", "columns": ["pay"], "k": 3}],
    "several": [
        {"method": "drop", "columns": ["name"]},
        {
            "method": "generalize",
            "column": "age",
            "hierarchy": {"hierarchy": "intervals", "width": 5},
            "level": 1,
        },
        {"method": "group_rare", "columns": ["town"], "min_count": 60},
        {"method": "top_bottom_code", "columns": ["pay"], "top_share": 0.02},
        {"method": "suppress_records", "k": 4},
    ],
}


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PART", 97)


def people(n: int = 700, seed: int = 1) -> pl.DataFrame:
    """Text, unicode, numbers, dates, times, decimals, booleans; some cells of most are missing."""
    rng = np.random.default_rng(seed)
    day = date(1950, 1, 1)
    frame = pl.DataFrame(
        {
            "name": [f"p{i}" for i in range(n)],
            "age": rng.integers(18, 90, n),
            "sex": rng.choice(["f", "m"], n),
            "town": rng.choice(
                ["Ås", "Bø", "Ænes", "Évry", "東京"], n, p=[0.4, 0.3, 0.2, 0.08, 0.02]
            ),
            "pay": rng.lognormal(8, 1, n).round(2),
            "born": [day + timedelta(days=int(d)) for d in rng.integers(0, 20000, n)],
            "seen": [START + timedelta(minutes=int(m)) for m in rng.integers(0, 9999, n)],
            "paid": [Decimal(int(c)) / 100 for c in rng.integers(0, 10**6, n)],
            "ill": rng.choice(["flu", "none", "gout"], n),
        }
    )
    gaps = [
        pl.when(pl.Series(rng.random(n) < 0.05)).then(None).otherwise(pl.col(name)).alias(name)
        for name in ("age", "town", "pay", "ill")
    ]
    return frame.with_columns(gaps)


def recipe_of(steps: list[dict[str, Any]], **more: Any) -> mv.Recipe:
    return mv.Recipe.parse({"roles": ROLES, "steps": steps, "undeclared": "keep", **more})


def both_ways(
    recipe: mv.Recipe, frame: pl.DataFrame, folder: Path, seed: int = 3
) -> tuple[pl.DataFrame, pl.DataFrame, Any]:
    source, out = folder / "people.parquet", folder / "out.parquet"
    frame.write_parquet(source)
    result = run_file(recipe, source, out, seed=seed, in_parts=True, keep_order=True)
    assert result.in_parts
    whole = mv.run(recipe, frame, seed=seed)
    return pl.read_parquet(out), whole.data, result


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("case", DETERMINISTIC)
def test_parts_give_what_the_whole_gives(case: str, tmp_path: Path) -> None:
    recipe = recipe_of(DETERMINISTIC[case])
    parts, whole, result = both_ways(recipe, people(), tmp_path)
    # Means of the same numbers in another order may differ in their last bits.
    assert_frame_equal(parts, whole, rel_tol=1e-12)
    assert result.n_records == whole.height
    assert result.n_suppressed == 700 - whole.height
    assert {path.name for path in tmp_path.iterdir()} == {"people.parquet", "out.parquet"}


CLASSES: dict[str, dict[str, Any]] = {
    "local_suppression": {"method": "local_suppression", "k": 4},
    "local_suppression_wildcard": {"method": "local_suppression", "k": 4, "missing": "wildcard"},
    "local_recoding": {
        "method": "local_recoding",
        "k": 4,
        "hierarchies": HIERARCHIES,
        "suppression_share": 0.02,
        "steps": 2_000,
    },
    "mondrian_relaxed": {"method": "mondrian", "k": 4, "mode": "relaxed"},
}


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("case", CLASSES)
def test_rows_that_look_alike_may_change_places_but_the_promise_holds(
    case: str, tmp_path: Path
) -> None:
    missing = CLASSES[case].get("missing", "category")
    recipe = recipe_of([CLASSES[case]], require=[{"model": "k_anonymity", "k": 4}], missing=missing)
    parts, whole, result = both_ways(recipe, people(), tmp_path)
    assert result.holds
    keys = ["age", "sex", "town"]
    sizes = parts.group_by(keys).len()["len"]
    if missing == "category":
        assert sizes.min() >= 4  # type: ignore[operator]
    lost = result.utility["cell_changes"].value
    compared = mv.compare(people(), whole, measures=["cell_changes"])
    assert lost == pytest.approx(compared.utility["cell_changes"].value, rel=0.2)
    # Whatever is not a key stays with its record.
    names = people().filter(pl.col("name").is_in(parts["name"].implode()))
    assert parts.drop(keys).equals(names.drop(keys))


RANDOM: dict[str, dict[str, Any]] = {
    "pram": {"method": "pram", "columns": ["town"], "retention": 0.8, "invariant": True},
    "randomized_response": {"method": "randomized_response", "columns": ["sex"], "epsilon": 1.0},
    "additive_noise": {
        "method": "additive_noise",
        "columns": ["pay", "height"],
        "sd_share": 0.2,
        "correlated": True,
    },
    "multiplicative_noise": {"method": "multiplicative_noise", "columns": ["pay"], "sd": 0.2},
    "round": {"method": "round", "columns": ["pay"], "base": 500, "mode": "random"},
    "rank_swap": {"method": "rank_swap", "columns": ["pay"], "range_share": 0.1},
    "permute": {"method": "permute", "columns": ["pay"]},
    "shuffle": {"method": "shuffle", "columns": ["pay"], "given": ["height"]},
}


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=[] if case in {"rank_swap", "pram"} else pytest.mark.slow)
        for case in RANDOM
    ],
)
def test_chance_in_parts_has_the_distribution_of_chance_in_one(case: str, tmp_path: Path) -> None:
    n = 4000
    frame = people(n)
    rng = np.random.default_rng(5)
    frame = frame.with_columns(
        (pl.col("pay") * 0.01 + pl.Series(rng.normal(0, 10, n))).alias("height")
    ).drop_nulls()
    recipe = recipe_of([RANDOM[case]])
    parts, whole, _ = both_ways(recipe, frame, tmp_path)
    again, _, _ = both_ways(recipe, frame, tmp_path)
    assert again.equals(parts)
    other, _, _ = both_ways(recipe, frame, tmp_path, seed=4)
    assert not other.equals(parts)
    for name in RANDOM[case]["columns"]:
        before, one, two = frame[name], whole[name], parts[name]
        if before.dtype == pl.String:
            counts = [part.alias("v").value_counts().sort("v") for part in (one, two)]
            changed = [(part != before).mean() for part in (one, two)]
            assert counts[0]["v"].equals(counts[1]["v"])
            assert changed[0] == pytest.approx(changed[1], abs=0.03)
            differences = counts[0]["count"].cast(int) - counts[1]["count"].cast(int)
            assert differences.abs().max() <= 6 * n**0.5
        else:
            moves = [(part - before).to_numpy() for part in (one, two)]
            assert moves[0].mean() == pytest.approx(moves[1].mean(), abs=0.1 * moves[0].std())
            assert moves[0].std() == pytest.approx(moves[1].std(), rel=0.15)


@pytest.mark.usefixtures("small_parts")
def test_a_sample_in_parts_has_exactly_the_share_of_each_stratum(tmp_path: Path) -> None:
    roles = {**ROLES, "strata": ["sex"]}
    recipe = recipe_of([{"method": "sample", "share": 0.25}], roles=roles)
    frame = people(800).with_columns(pl.Series("sex", ["f", "m"] * 400))
    parts, _, result = both_ways(recipe, frame, tmp_path)
    assert sorted(parts.group_by("sex").len()["len"]) == [100, 100]
    assert result.n_suppressed == 600
    assert result.facts[0].facts["n_left_out"] == 600
    # Early and late records are drawn alike.
    early = parts["name"].str.strip_prefix("p").cast(pl.Int64) < 400
    assert 70 <= early.sum() <= 130


@pytest.mark.usefixtures("small_parts")
def test_a_step_after_chance_sees_what_chance_left(tmp_path: Path) -> None:
    steps = [
        {"method": "pram", "columns": ["town"], "retention": 0.7},
        {"method": "sample", "share": 0.9},
        {"method": "rank_swap", "columns": ["pay"], "range_share": 0.1},
        {"method": "suppress_records", "k": 5},
    ]
    recipe = recipe_of(steps, require=[{"model": "k_anonymity", "k": 5}])
    parts, _, result = both_ways(recipe, people(1500), tmp_path)
    assert result.holds
    assert parts.group_by("age", "sex", "town").len()["len"].min() >= 5  # type: ignore[operator]
    assert result.n_suppressed == 1500 - parts.height > 0


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_other_formats_are_counted_too(kind: str, tmp_path: Path) -> None:
    frame = people().select("age", "sex", "town", "ill")
    source, out = tmp_path / f"people.{kind}", tmp_path / f"out.{kind}"
    mv.write(frame, source, keep_order=True)
    recipe = recipe_of(DETERMINISTIC["optimal_generalization"])
    run_file(recipe, source, out, in_parts=True, keep_order=True)
    whole = mv.run(recipe, mv.read(source)).data
    assert mv.read(out).rows() == whole.rows()


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("n", [0, 1, 2])
def test_tables_of_hardly_any_row(n: int, tmp_path: Path) -> None:
    frame = people(10).head(n)
    recipe = recipe_of([{"method": "suppress_records", "k": 2}])
    parts, whole, _ = both_ways(recipe, frame, tmp_path)
    assert parts.rows() == whole.rows()
