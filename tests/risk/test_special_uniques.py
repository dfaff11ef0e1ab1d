"""SUDA2 beside sdcMicro 5.8.1 on its ``testdata`` and ``testdata2``, and by itself."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.errors import ColumnError, InputError, SpecError
from microveil.kernels.jit import always_compiled
from microveil.kernels.uniques import minimal_uniques
from microveil.risk.population.uniques.suda_scores import dis_scores, size_weights
from microveil.risk.special_uniques import SpecialUniques
from microveil.tables import Classes, Roles, Table

DATA = Path(__file__).parents[1] / "data" / "sdcmicro"
CASES = json.loads((DATA / "suda2.json").read_text(encoding="utf-8"))["cases"]


def reference_data(case: str) -> pl.DataFrame:
    if case.startswith("testdata2"):
        return pl.read_csv(DATA / "testdata2_keys_kanon2.csv")
    return pl.read_parquet(DATA / "ldiversity.parquet")


def reference_spec(case: str) -> SpecialUniques:
    return SpecialUniques(
        columns=CASES[case]["columns"],
        weighting="supersets" if case.endswith("ihsn") else "factorial",
        sampling_share=0.1 if case.endswith("df10") else 0.01,
    )


def spread(case: str, name: str) -> Any:
    values = np.zeros(CASES[case]["n_records"])
    values[CASES[case]["records"]] = CASES[case][name]
    return values


@pytest.mark.parametrize("case", CASES)
def test_scores_and_contributions_are_those_of_sdcmicro(case: str) -> None:
    data, spec = reference_data(case), reference_spec(case)
    score, records, values = spec.measure(data), spec.per_record(data), spec.per_value(data)
    assert score.records is not None
    assert np.allclose(score.records, spread(case, "dis"), rtol=1e-6, atol=0)
    assert np.allclose(records["suda_score"], spread(case, "score"), rtol=1e-12, atol=0)
    assert np.array_equal(records["dis_score"], score.records)
    for column, whole, summed in zip(
        CASES[case]["columns"],
        CASES[case]["contributions"],
        CASES[case]["contribution_sums"],
        strict=True,
    ):
        assert 100 * score.parts["contributions"][column] == pytest.approx(whole)
        assert records[f"{column}_contribution"].sum() == pytest.approx(summed)
    theirs = {(column, value): share for column, value, share in CASES[case]["values"]}
    ours = {(column, value): 100 * share for column, value, share in values.iter_rows()}
    assert ours == pytest.approx(theirs)


def measured(data: Any, **parameters: Any) -> Any:
    columns = [name for name in data if name not in {"person", "weight"}]
    return SpecialUniques(columns=columns, **parameters).measure(data)


keys = st.lists(st.tuples(*[st.sampled_from([None, "x", "y", "z"])] * 3), max_size=20)


def frame_of(rows: list[tuple[str | None, ...]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"a": pl.String, "b": pl.String, "c": pl.String}, orient="row")


@settings(max_examples=60, deadline=None)
@given(keys, st.sampled_from(["category", "wildcard"]))
def test_a_record_has_a_minimal_unique_exactly_when_its_class_is_one(
    rows: list[tuple[str | None, ...]], missing: Any
) -> None:
    frame = frame_of(rows)
    found = SpecialUniques(columns=["a", "b", "c"], missing=missing).per_record(frame)
    classes = Classes.of(Table(frame), ["a", "b", "c"], missing)
    shown = ~classes.all_missing[classes.record_class] if missing == "wildcard" else True
    alone = (classes.of_records(classes.sizes) == 1) & shown
    assert (found["n_minimal_uniques"] > 0).to_list() == alone.tolist()
    assert found["smallest_size"].is_not_null().to_list() == alone.tolist()


@settings(max_examples=40, deadline=None)
@given(keys, st.randoms(use_true_random=False))
def test_scores_follow_their_records_whatever_the_order_of_rows_and_columns(
    rows: list[tuple[str | None, ...]], random: Any
) -> None:
    frame = frame_of(rows)
    order = list(range(len(rows)))
    random.shuffle(order)
    columns = ["a", "b", "c"]
    before = SpecialUniques(columns=columns).measure(frame)
    random.shuffle(columns)
    after = SpecialUniques(columns=columns).measure(frame[order])
    assert before.records is not None
    assert after.records is not None
    assert np.allclose(before.records[order], after.records, rtol=1e-12)
    assert before.parts["contributions"] == pytest.approx(after.parts["contributions"])
    assert before.value == pytest.approx(after.value)


def test_sizes_columns_and_sets_say_what_was_found() -> None:
    score = measured({"sex": [*"ffmm"], "town": [*"AAAB"]})
    assert score.parts["n_unique"] == 2
    assert score.parts["n_minimal_uniques"] == 2
    assert score.frames["sizes"].rows() == [(1, 1, 1, 1), (2, 1, 1, 1)]
    assert score.frames["sets"].rows() == [(["town"], 1, 1), (["sex", "town"], 2, 1)]
    assert score.frames["columns"].rows() == [("town", 1.0, 2), ("sex", 0.5, 1)]
    assert score.frames["columns_by_size"].rows() == [
        ("sex", 1, 0, 0.0),
        ("town", 1, 1, 1.0),
        ("sex", 2, 1, 1.0),
        ("town", 2, 1, 1.0),
    ]


def test_a_limit_leaves_out_larger_uniques_alone() -> None:
    data, spec = reference_data("testdata2_kv7"), reference_spec("testdata2_kv7")
    whole = spec.measure(data).frames["sizes"]
    for limit in (1, 3, 12):
        part = spec.model_copy(update={"max_size": limit}).measure(data).frames["sizes"]
        assert part.equals(whole.head(limit))


def test_a_missing_cell_is_a_value_or_matches_all_or_takes_no_part() -> None:
    data = {"age": [30, 30, 40, None]}
    found = {
        missing: [chance > 0 for chance in measured(data, missing=missing).records]
        for missing in ("category", "wildcard", "ignored")
    }
    assert found == {
        "category": [False, False, True, True],
        "wildcard": [False] * 4,
        "ignored": [False, False, True, False],
    }


def test_rows_of_one_person_do_not_hide_each_other() -> None:
    visits = {"person": [1, 1, 2, 3], "town": ["A", "A", "B", "B"], "month": [1, 2, 1, 1]}
    alone = SpecialUniques(columns=["town", "month"]).per_record(visits)
    assert (alone["n_minimal_uniques"] > 0).to_list() == [True, True, False, False]
    assert alone["smallest_size"].to_list() == [2, 1, None, None]
    people = SpecialUniques(columns=["town", "month"]).per_record(
        visits, roles=Roles(entity="person")
    )
    assert people["smallest_size"].to_list() == [1, 1, None, None]


def test_text_and_fractions_count_as_they_are() -> None:
    assert measured({"name": ["x", "y", "x"]}).parts["n_unique"] == 1
    assert measured({"size": [1.1, 1.2, 1.1]}).parts["n_unique"] == 1
    assert measured({"size": [float("inf"), 1.2, -float("inf")]}).parts["n_unique"] == 3


@pytest.mark.parametrize(
    "values", [[b"a", b"a", b"b"], [timedelta(1), timedelta(1), None], [1.5, 1.5, 2.5]]
)
def test_values_of_every_kind_are_shown_as_text(values: list[Any]) -> None:
    frame = SpecialUniques(columns="a").per_value({"a": values})
    assert frame.schema["value"] == pl.String
    assert sorted(frame["contribution"].to_list()) == [0, 1]


def test_a_constant_table_has_no_unique_and_a_lone_record_is_one() -> None:
    constant = measured({"a": [1] * 9, "b": ["x"] * 9})
    assert constant.value == 0
    assert constant.parts["contributions"] == {"a": 0, "b": 0}
    assert measured({"a": [1]}).value == 1
    assert measured({"a": pl.Series([], dtype=pl.Int64)}).value == 0


def test_chances_fall_with_pairs_and_rise_with_the_sampling_share() -> None:
    def highest(n_pairs: int, share: float) -> float:
        values = ["u", *(str(i) for i in range(n_pairs) for _ in range(2))]
        return float(measured({"a": values}, sampling_share=share).parts["highest_dis"])

    assert highest(0, 0.01) == 1
    assert highest(3, 1.0) == 1
    assert 1 > highest(1, 0.5) > highest(3, 0.5) > highest(3, 0.1) > 0
    # One unique: the share of unique records' matches that are right (Skinner & Elliot 2002).
    assert highest(3, 0.5) == pytest.approx(1 * 0.5 / (1 * 0.5 + 6 * 0.5))


def test_without_weights_the_table_is_the_population_as_for_individual_risk() -> None:
    data = {"a": ["x", "y", "y", "z", "z"]}
    roles = Roles(quasi_identifiers=["a"])
    score = SpecialUniques().measure(data, roles=roles)
    assert score.parts["sampling_share"] == 1
    assert score.records is not None
    assert score.records.tolist() == [1, 0, 0, 0, 0]
    few = SpecialUniques().measure(
        data | {"w": [0.1] * 5}, roles=Roles(quasi_identifiers=["a"], weight="w")
    )
    assert few.parts["sampling_share"] == 1


def test_the_sampling_share_can_come_from_the_weights() -> None:
    data = {"a": ["x", "y", "y"], "weight": [50.0, 25.0, 25.0]}
    roles = Roles(quasi_identifiers=["a"], weight="weight")
    score = SpecialUniques(sampling_share="weights").measure(data, roles=roles)
    assert score.parts["sampling_share"] == pytest.approx(0.03)
    assert (
        SpecialUniques().measure(data, roles=roles).parts["sampling_share"]
        == score.parts["sampling_share"]
    )
    with pytest.raises(InputError, match="needs a weight column"):
        SpecialUniques(sampling_share="weights", columns="a").measure(data)
    with pytest.raises(InputError, match="less than the 3 records"):
        SpecialUniques(sampling_share="weights").measure(data | {"weight": [0, 1, 1]}, roles=roles)


def test_many_columns_do_not_turn_the_order_of_scores_round() -> None:
    chances = dis_scores(np.array([1.0, 2.0, 3.0]), 40, 10, 0.1)
    assert chances[0] < chances[1] < chances[2]


def test_chances_do_not_depend_on_the_unit_of_scores() -> None:
    scores = np.array([0.0, 1.0, 7.0, 30.0])
    assert np.allclose(dis_scores(scores, 5, 8, 0.1), dis_scores(scores * 1e9, 5, 8, 0.1))


def test_weights_are_those_of_the_definition() -> None:
    assert size_weights(5, 5, "factorial").tolist() == [24, 6, 2, 1, 1]
    assert size_weights(5, 5, "supersets").tolist() == [15 / 5, 7 / 10, 3 / 10, 1 / 5, 0]


def test_what_cannot_be_measured_is_said() -> None:
    with pytest.raises(InputError, match="no columns to combine"):
        SpecialUniques().measure({"a": [1]})
    with pytest.raises(ColumnError, match="Did you mean 'age'"):
        SpecialUniques(columns="agee").measure({"age": [1]})
    with pytest.raises(ColumnError, match="nested"):
        SpecialUniques(columns="a").measure({"a": [[1], [2]]})
    with pytest.raises(InputError, match="at most 62 columns, not 70"):
        measured({f"c{i}": [1] for i in range(70)})
    with pytest.raises(SpecError, match="sampling_share"):
        SpecialUniques.parse({"sampling_share": 0})
    with pytest.raises(SpecError, match="max_size"):
        SpecialUniques.parse({"max_size": 0})


def test_too_large_a_search_is_refused_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="Lower `max_size`"):
        measured({f"c{i}": [1, 2] for i in range(40)})
    monkeypatch.setattr(minimal_uniques, "MOST_BYTES", 8)
    # NumPy, which stands in for the search until it is compiled, does not keep such bits.
    with always_compiled(), pytest.raises(InputError, match=r"93 distinct rows\. Lower"):
        reference_spec("testdata2_kv7").measure(reference_data("testdata2_kv7"))


def test_the_input_is_left_alone_and_a_score_holds_no_cell() -> None:
    data = pl.DataFrame({"name": ["Zoltan", "Zoltan", "Quirin"]})
    score = SpecialUniques(columns="name").measure(data)
    assert data.equals(pl.DataFrame({"name": ["Zoltan", "Zoltan", "Quirin"]}))
    assert "Quirin" not in json.dumps(score.to_dict())
    assert not any("Quirin" in str(frame.to_dicts()) for frame in score.frames.values())
