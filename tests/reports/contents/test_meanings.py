from __future__ import annotations

import polars as pl

import microveil as mv
from microveil.reports.contents.meanings import describe_score, described_pair, meaningful_utility
from microveil.scores import Score


def release(frame: pl.DataFrame, column: str) -> mv.Release:
    recipe = mv.Recipe(steps=[mv.Permute(columns=[column])], undeclared="keep")
    return mv.run(recipe, frame, seed=1)


def test_measures_of_numbers_are_taken_on_quantities_alone() -> None:
    frame = pl.DataFrame(
        {"pay": [1.5 * i for i in range(50)], "more": [2.5 * i + 1 for i in range(50)]}
    ).with_columns(sex=pl.Series([0, 1] * 25))
    found = meaningful_utility(release(frame, "pay"))
    assert found.note == (
        "Measures of numbers leave out columns that are no quantities: 'sex' (codes)."
    )
    assert all("question" in told for told in found.scores.values())
    assert "cell_changes" not in found.scores


def test_without_a_quantity_nothing_is_said_about_means() -> None:
    found = meaningful_utility(release(pl.DataFrame({"sex": [0, 1] * 25}), "sex"))
    needing = [name for name, kind in mv.UTILITY_MEASURES.classes.items() if kind.needs_numbers]
    assert not set(needing) & set(found.scores)
    assert any("codes and ids have no mean" in why for why in found.left_out.values())


def test_a_score_comes_with_its_question_name_and_sentence() -> None:
    score = Score(measure="class_sizes", value=0.5)
    told = describe_score(mv.ClassSizes, score)
    assert told["value"] == 0.5
    assert told["question"] == mv.ClassSizes.question
    assert told["title"]
    assert told["meaning"]
    pair = described_pair("class_sizes", Score(measure="class_sizes", value=1.0), score)
    assert (pair["before"]["value"], pair["after"]["value"]) == (1.0, 0.5)
    assert set(described_pair("class_sizes", None, score)) == {"after"}
