from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.errors import InputError
from microveil.utility.ambiguity import Ambiguity
from microveil.utility.average_class_size import AverageClassSize
from microveil.utility.discernibility import Discernibility
from microveil.utility.entropy_loss import EntropyLoss
from microveil.utility.generalization_loss import GeneralizationLoss
from microveil.utility.precision import Precision

ALL = (GeneralizationLoss(), Ambiguity(), EntropyLoss())
BY_KEYS = (Discernibility(columns="x"), AverageClassSize(columns="x"))


@pytest.mark.parametrize("measure", [*ALL, *BY_KEYS], ids=lambda measure: measure.kind())
@pytest.mark.parametrize("nothing", ["*", None], ids=["star", "missing"])
def test_a_column_that_says_nothing_is_lost_whole(measure: object, nothing: str | None) -> None:
    before = pl.DataFrame({"x": ["a", "b", "c", "a"]})
    after = pl.DataFrame({"x": pl.Series([nothing] * 4, dtype=pl.String)})
    assert measure.measure(before, after).value == pytest.approx(1)  # type: ignore[attr-defined]  # any of them


@pytest.mark.parametrize("measure", ALL, ids=lambda measure: measure.kind())
def test_a_key_that_is_gone_is_lost_whole(measure: object) -> None:
    before = pl.DataFrame({"x": ["a", "b"], "y": [1, 2]})
    roles = mv.Roles(quasi_identifiers=["x"])
    score = measure.measure(before, before.drop("x"), roles=roles)  # type: ignore[attr-defined]  # any of them
    assert score.value == pytest.approx(1)


@pytest.mark.parametrize("measure", ALL, ids=lambda measure: measure.kind())
def test_cells_that_were_missing_before_lost_nothing(measure: object) -> None:
    before = pl.DataFrame({"x": ["a", None, "b"]})
    assert measure.measure(before, before).value == 0  # type: ignore[attr-defined]  # any of them


codes = st.lists(st.sampled_from(["aa", "ab", "ba", "bb", "bc"]), min_size=2, max_size=25)


@settings(max_examples=40)
@given(codes)
def test_coarser_labels_never_lose_less(values: list[str]) -> None:
    before = pl.DataFrame({"x": values})
    middle = pl.DataFrame({"x": [value[0] + "*" for value in values]})
    top = pl.DataFrame({"x": ["*"] * len(values)})
    for measure in (*ALL, *BY_KEYS):
        losses = [measure.measure(before, after).value for after in (before, middle, top)]
        assert losses[0] == 0
        assert losses[0] <= losses[1] + 1e-12 <= losses[2] + 2e-12


@settings(max_examples=40)
@given(codes)
def test_loss_is_what_counting_by_hand_gives(values: list[str]) -> None:
    before = pl.DataFrame({"x": values})
    after = pl.DataFrame({"x": [value[0] + "*" for value in values]})
    domain = set(values)
    by_hand = [
        (sum(other[0] == value[0] for other in domain) - 1) / (len(domain) - 1)
        if len(domain) > 1
        else 0.0
        for value in values
    ]
    expected = sum(by_hand) / len(values)
    assert GeneralizationLoss().measure(before, after).value == pytest.approx(expected)
    shuffled = after.sample(fraction=1.0, shuffle=True, seed=1)
    unpaired = GeneralizationLoss().measure(before, shuffled, aligned=False)
    assert unpaired.value == pytest.approx(expected)


def test_discernibility_counts_beyond_32_bits() -> None:
    n = 70_000
    before = pl.DataFrame({"x": list(range(n))})
    after = pl.DataFrame({"x": [0] * n})
    score = Discernibility(columns="x").measure(before, after)
    assert score.parts["penalty"] == float(n) ** 2
    assert score.value == 1


def test_classes_need_keys() -> None:
    with pytest.raises(InputError, match="quasi-identifiers"):
        Discernibility().measure({"x": [1]}, {"x": [1]})


def test_precision_names_the_column_whose_hierarchy_it_lacks() -> None:
    with pytest.raises(InputError, match="column 'age'") as caught:
        Precision().measure({"age": [31, 38]}, {"age": ["[30, 40)", "38"]})
    assert "[30" not in str(caught.value)


def test_precision_is_the_mean_level() -> None:
    hierarchy = {"age": {"hierarchy": "intervals", "width": [10, 20]}}
    before = {"age": [31, 38, 52, 57]}
    after = {"age": ["[30, 40)", "[20, 40)", "52", "*"]}
    score = Precision.parse({"hierarchies": hierarchy}).measure(before, after)
    assert score.value == pytest.approx((1 / 3 + 2 / 3 + 0 + 1) / 4)


def test_entropy_is_what_is_left_to_guess() -> None:
    before = {"x": ["a", "a", "b", "c"]}
    after = {"x": ["ab", "ab", "ab", "c"]}
    score = EntropyLoss().measure(before, after)
    # 2·log₂(3/2) + log₂ 3 of 2·log₂(4/2) + 2·log₂ 4 bits
    assert score.parts["bits_lost"] == pytest.approx(2 * 0.5849625 + 1.5849625)
    assert score.parts["bits"] == pytest.approx(6)


def test_removed_records_are_lost_to_entropy() -> None:
    frame = pl.DataFrame({"sex": ["f", "f", "m"], "pay": [1, 2, 9]})
    roles = mv.Roles(quasi_identifiers=["sex"], sensitive=["pay"])
    release = mv.run(mv.Recipe(roles=roles, steps=[mv.SuppressRecords(k=2)]), frame)
    score = EntropyLoss().measure(release.original, release.table)
    # log₂ 3 of 2·log₂(3/2) + log₂ 3 bits
    assert score.value == pytest.approx(1.5849625 / (2 * 0.5849625 + 1.5849625))
    assert GeneralizationLoss().measure(release.original, release.table).value == pytest.approx(
        1 / 3
    )
