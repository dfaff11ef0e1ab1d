from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.app.comparing import compare

ROLES = mv.Roles(quasi_identifiers=["age", "sex"], sensitive=["ill"])


def people(n: int = 200, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 60, n)
    return pl.DataFrame(
        {
            "age": age,
            "sex": rng.choice(["f", "m"], n),
            "pay": age * 100 + rng.normal(0, 50, n).round(),
            "ill": rng.choice(["flu", "cold", "ulcer"], n),
        }
    )


def level(comparison: mv.Comparison, question: str) -> str:
    return next(one.level for one in comparison.verdicts if one.question == question)


def test_the_json_has_a_value_for_every_measure() -> None:
    plain = json.loads(json.dumps(compare(people(), people(), ROLES).to_dict()))
    assert {"risk", "utility", "verdicts", "skipped", "invalid", "notes", "details"} <= set(plain)
    assert all(isinstance(value, float | int) for value in plain["risk"].values())
    assert set(plain["utility"]) <= set(mv.UTILITY_MEASURES.classes)
    assert set(plain["risk"]) <= set(mv.RISK_MEASURES.classes)
    assert plain["details"]["record_linkage"]["parts"]["n_columns"] == 2
    assert [one["question"] for one in plain["verdicts"]] == [
        "singling out",
        "linkability",
        "inference",
    ]


def test_without_records_the_numbers_are_the_same() -> None:
    measures = ["class_sizes", "replicated_uniques", "cell_changes"]
    whole, lean = (
        compare(people(), people(), ROLES, measures=measures, records=records)
        for records in (True, False)
    )
    assert lean.to_dict() == whole.to_dict()
    assert all(score.records is None for score in lean.risk.values())
    assert lean.after.unique_records.is_empty()


def test_publishing_the_original_is_high_risk_and_costs_nothing() -> None:
    found = compare(people(), people(), ROLES)
    assert {one.level for one in found.verdicts} == {"high"}
    assert {score.value for score in found.utility.values()} == {0.0}


def test_publishing_nothing_of_anybody_is_low_risk() -> None:
    blank = people().with_columns(age=pl.lit("*"), sex=pl.lit("*"), pay=pl.lit(0), ill=pl.lit("*"))
    found = compare(people(), blank, ROLES)
    assert {one.level for one in found.verdicts} == {"low"}


def test_measures_are_chosen_by_name_over_both_kinds() -> None:
    found = compare(people(), people(), ROLES, measures=["il1s", "class_sizes"])
    assert list(found.risk) == ["class_sizes"]
    assert list(found.utility) == ["il1s"]
    assert not compare(people(), people(), ROLES, measures="none").risk


def test_two_measures_of_one_kind_stand_side_by_side() -> None:
    both = [mv.IntervalDisclosure(k=0.01), mv.IntervalDisclosure(k=5), mv.IL1s()]
    found = compare(people(), people().reverse(), ROLES, measures=both, aligned=True)
    assert list(found.risk) == ["interval_disclosure", "interval_disclosure_2"]
    assert found.risk["interval_disclosure"].value < found.risk["interval_disclosure_2"].value
    assert list(found.utility) == ["il1s"]


def test_a_recipe_that_perturbs_keys_marks_the_counting_of_classes() -> None:
    recipe = mv.Recipe(roles=ROLES, steps=[mv.RankSwap(columns=["age"], range_share=0.2)])
    swapped = mv.RankSwap(columns=["age"], range_share=0.2).protect(people(), seed=1)
    found = compare(people(), swapped, recipe=recipe)
    counting = {one.kind() for one in mv.RISK_MEASURES if one.counts_classes and one.by_default}
    assert set(found.invalid) == counting
    assert "rank_swap" in found.invalid["class_sizes"]
    assert not counting & set(found.risk)
    assert found.to_dict()["risk"]["class_sizes"] is None
    assert "unique on" not in " ".join(one.sentence for one in found.verdicts)
    assert not compare(people(), swapped, ROLES).invalid


def test_a_recipe_that_perturbs_other_columns_leaves_classes_valid() -> None:
    recipe = mv.Recipe(roles=ROLES, steps=[mv.RankSwap(columns=["pay"], range_share=0.2)])
    found = compare(people(), people(), recipe=recipe)
    assert not found.invalid
    assert "class_sizes" in found.risk


@pytest.mark.parametrize("aligned", [False, None])
def test_rows_in_another_order_are_not_paired(aligned: bool | None) -> None:  # noqa: FBT001  a case
    shuffled = people().sample(fraction=1, shuffle=True, seed=1)
    found = compare(people(), shuffled, ROLES, aligned=aligned)
    pairing = {
        one.kind()
        for one in (*mv.RISK_MEASURES, *mv.UTILITY_MEASURES)
        if one.needs_alignment and one.by_default
    }
    assert pairing <= set(found.skipped)
    assert len(found.notes) == (aligned is None)
    assert level(found, "singling out") == level(found, "inference") == "high"


@pytest.mark.parametrize(
    "steps",
    [
        [mv.Mondrian(k=5)],
        [mv.Round(columns=["age"], base=10)],
        [mv.Pram(columns=["ill"], retention=0.5)],
        [],
    ],
    ids=["mondrian", "round", "pram", "nothing"],
)
def test_a_shuffled_file_gets_the_verdicts_of_the_release_in_memory(
    steps: list[mv.Method], tmp_path: Path
) -> None:
    recipe = mv.Recipe(roles=ROLES, steps=[mv.Drop(columns=["pay"]), *steps])
    release = mv.run(recipe, people(), seed=1)
    release.write(tmp_path / "out.csv")
    memory = compare(people(), release, recipe=recipe)
    file = compare(people(), mv.read(tmp_path / "out.csv"), recipe=recipe, aligned=False)
    assert [one.level for one in file.verdicts] == [one.level for one in memory.verdicts]
    for name in ("singling_out", "inference", "linkability"):
        assert file.risk[name].value == pytest.approx(memory.risk[name].value), name


def test_perturbed_rows_in_another_order_prove_no_safety() -> None:
    steps = [mv.Permute(columns=["age"]), mv.Permute(columns=["sex"])]
    recipe = mv.Recipe(roles=ROLES, steps=[mv.Drop(columns=["pay"]), *steps])
    release = mv.run(recipe, people(), seed=1)
    shuffled = release.table.frame.sample(fraction=1, shuffle=True, seed=1)
    assert level(compare(people(), release, recipe=recipe), "linkability") == "low"
    file = compare(people(), shuffled, recipe=recipe, aligned=False)
    assert level(file, "linkability") == "unknown"
    assert "was not tried" in file.verdicts[1].sentence


def test_the_caller_knows_better_whether_rows_belong_together() -> None:
    shuffled = people().sample(fraction=1, shuffle=True, seed=1)
    found = compare(people(), shuffled, ROLES, aligned=True)
    assert found.risk["record_linkage"].value < 0.1
    assert not found.notes


def test_a_release_with_fewer_rows_and_columns_is_compared_as_far_as_it_goes() -> None:
    found = compare(people(), people().head(150).drop("pay"), ROLES)
    assert "rows" in found.skipped["record_linkage"]
    assert {"singling_out", "inference", "class_sizes"} <= set(found.risk)
    assert "discernibility" in found.utility
    assert found.after.n_records == 150


def test_a_row_link_pairs_what_is_left() -> None:
    before = mv.Table(people(), ROLES)
    found = compare(before, before.take(np.arange(199, 50, -1)))
    assert found.risk["record_linkage"].value > 0.3
    assert found.utility["il1s"].value == 0


def test_a_release_without_its_secrets_gives_none_away() -> None:
    found = compare(people(), people().drop("ill"), ROLES)
    assert level(found, "inference") == "low"
    assert level(found, "singling out") == "high"


def test_dropped_keys_are_left_out_of_the_roles() -> None:
    found = compare(people(), people().drop("age"), ROLES)
    assert found.after.quasi_identifiers == ("sex",)
    assert found.before.quasi_identifiers == ("age", "sex")


def test_measures_of_numbers_are_not_taken_without_numbers() -> None:
    frame = people().select("sex", "ill")
    found = compare(frame, frame, mv.Roles(quasi_identifiers=["sex"], sensitive=["ill"]))
    silent = {"interval_disclosure", "identity_disclosure", "value_disclosure", "il1s", "sse"}
    assert silent <= set(found.skipped)
    assert "no column of numbers" in found.skipped["il1s"]
    assert "record_linkage" in found.risk


def test_labels_of_numbers_are_measured_for_utility_but_are_no_numbers_for_risk() -> None:
    frame = people().drop("pay")
    general = mv.Mondrian(k=5).protect(frame, ROLES, seed=0)
    found = compare(frame, general, ROLES)
    assert "il1s" in found.utility
    assert "interval_disclosure" in found.skipped
    # Every class is met by its own people alone, so linkage finds one in each.
    assert found.risk["record_linkage"].value == pytest.approx(found.after.n_classes / 200)


def test_a_control_is_what_attacks_are_compared_with() -> None:
    control = people(seed=9)
    found = compare(people(), people(), ROLES, control=control)
    for name in ("singling_out", "linkability", "inference", "membership"):
        assert found.risk[name].parts["against"] == "control"
    assert "membership" not in compare(people(), people(), ROLES).risk
    assert "were not in the data" in found.verdicts[2].sentence


def test_a_control_without_rows_is_refused_where_attacks_are_named() -> None:
    with pytest.raises(mv.InputError, match="control has no rows"):
        compare(people(), people(), ROLES, control=people().clear(), measures=["inference"])


def test_a_named_measure_that_cannot_be_taken_is_an_error() -> None:
    with pytest.raises(mv.InputError, match="same order"):
        compare(people(), people(), ROLES, aligned=False, measures=["record_linkage"])


def test_large_tables_are_told_which_attacks_were_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mv.Inference, "most_cells", 799)
    found = compare(people(), people(), ROLES)
    assert "takes long" in found.skipped["inference"]
    assert level(found, "inference") == "high"  # classes still give values away


ODD: dict[str, list[Any]] = {
    "no rows": [],
    "one row": ["SECRET"],
    "all missing": [None] * 4,
    "wild": [float("nan"), float("inf"), None, 1.0],
    "constant": ["SECRET"] * 4,
}


@pytest.mark.parametrize("name", list(ODD))
@pytest.mark.parametrize("change", ["same", "text", "fewer"])
def test_odd_tables_are_compared_without_a_cell_in_the_words(name: str, change: str) -> None:
    column = ODD[name]
    frame = pl.DataFrame({"q": column, "r": column, "s": column})
    released = {
        "same": frame,
        "text": frame.with_columns(pl.all().cast(pl.String)),
        "fewer": frame.head(len(column) // 2),
    }[change]
    roles = mv.Roles(quasi_identifiers=["q", "r"], sensitive=["s"])
    found = compare(frame, released, roles, measures="all")
    assert all(np.isfinite(one.value) for one in (*found.risk.values(), *found.utility.values()))
    told = [*(one.sentence for one in found.verdicts), *found.skipped.values(), *found.notes]
    assert "SECRET" not in " ".join(told)


def test_a_release_is_taken_for_its_table_with_the_row_link(patients: pl.DataFrame) -> None:
    roles = mv.Roles(identifiers=["name"], quasi_identifiers=["age", "sex"], sensitive=["disease"])
    steps = [mv.Drop(columns=["name"]), mv.Mondrian(k=3)]
    release = mv.run(mv.Recipe(roles=roles, steps=steps), patients, seed=1)
    found = mv.compare(patients, release, roles)
    assert found.utility["generalization_loss"].value == (
        mv.GeneralizationLoss().measure(release.original, release).value
    )
    assert found.risk["record_linkage"].value == (
        mv.RecordLinkage().measure(release.original, release).value
    )
