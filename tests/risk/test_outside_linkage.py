from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import ColumnError, InputError
from microveil.risk.outside_linkage import OutsideLinkage

# S1, exercise 1: Taula 23, and what Taula 24 tells of six teachers: their job, and the beginning
# of the postcodes of their city as the solution looks them up.
RELEASED = pl.DataFrame(
    {
        "occupation": [
            "Sports",
            "Education",
            "Law",
            "Education",
            "Education",
            "Law",
            "Sports",
            "Sports",
            "Law",
        ],
        "zip": ["80***", "40***", "97***", "40***", "97***", "97***", "80***", "80***", "97***"],
        "age": [
            "[30, 49]",
            "[10, 29]",
            "[50, 69]",
            "[10, 29]",
            "[10, 29]",
            "[50, 69]",
            "[30, 49]",
            "[30, 49]",
            "[50, 69]",
        ],
        "status": ["M", "D", "D", "M", "S", "S", "D", "M", "S"],
        "income": [25050, 18098, 28760, 26062, 790, 30033, 55093, 17330, 15700],
    }
)
ROLES = mv.Roles(quasi_identifiers=["occupation", "zip", "age", "status"], sensitive=["income"])
TEACHERS = pl.DataFrame(
    {
        "name": ["Keating", "Gruwell", "Thackeray", "Escalante", "Krabbapel", "Cross"],
        "occupation": ["Education"] * 6,
        "zip": ["970**", "908**", "400**", "900**", "627**", "995**"],
    }
)


def test_the_course_s_teachers_are_found_as_its_solution_says() -> None:
    score = OutsideLinkage().measure(RELEASED, roles=ROLES, auxiliary=TEACHERS)
    parts = score.parts
    assert parts["n_people"] == 6
    assert parts["n_matched"] == 2
    # Keating is record 5 and nobody else: identity disclosure, and his income is certain.
    assert parts["n_identity"] == 1
    assert parts["n_certain"] == 1
    # Of Thackeray, record 2 or 4, two incomes are possible: attribute disclosure.
    assert parts["n_attribute"] == 2
    people = score.frames["people"]
    assert people["n_candidates"].to_list() == [1, 0, 2, 0, 0, 0]
    assert people["n_values_income"].to_list() == [1, 0, 2, 0, 0, 0]
    assert score.frames["links"].rows() == [(0, 4), (2, 1), (2, 3)]
    assert score.value == pytest.approx(1 / 6)
    assert score.records is not None
    assert score.records.tolist() == [0, 0.5, 0, 0.5, 1, 0, 0, 0, 0]


def test_other_columns_too_are_learnt() -> None:
    wanted = ["age", "status", "income"]
    parts = (
        OutsideLinkage(sensitive=wanted).measure(RELEASED, roles=ROLES, auxiliary=TEACHERS).parts
    )
    # Thackeray: between 10 and 29 for sure, married or divorced, one of two incomes.
    assert parts["attribute"]["age"] == {"n_narrowed": 2, "n_certain": 2}
    assert parts["attribute"]["status"] == {"n_narrowed": 2, "n_certain": 1}
    assert parts["attribute"]["income"] == {"n_narrowed": 2, "n_certain": 1}


def test_a_list_in_a_file_is_read_as_the_release_is_coded(tmp_path: Path) -> None:
    released = pl.DataFrame({"zip": ["08001", "08002"], "ill": ["x", "y"]})
    path = tmp_path / "list.csv"
    path.write_text("zip,name\n08001,a\n8002,b\n", encoding="utf-8")
    score = OutsideLinkage(auxiliary=str(path)).measure(released)
    assert score.frames["people"]["n_candidates"].to_list() == [1, 0]


def test_candidates_are_those_of_a_join_where_all_is_exact() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"a": rng.integers(0, 9, 300), "b": rng.choice(list("xyz"), 300)})
    people = pl.DataFrame({"a": rng.integers(0, 12, 80), "b": rng.choice(list("wxyz"), 80)})
    counted = people.join(frame.group_by("a", "b").len(), on=["a", "b"], how="left")
    score = OutsideLinkage().measure(frame, auxiliary=people)
    expected = counted["len"].fill_null(0).to_list()
    assert score.frames["people"]["n_candidates"].to_list() == expected


def test_missing_may_be_anything() -> None:
    released = pl.DataFrame({"a": ["x", None, "y"], "ill": [1, 2, 3]})
    people = pl.DataFrame({"a": ["x", None, "z"]})
    score = OutsideLinkage().measure(released, auxiliary=people)
    assert score.frames["people"]["n_candidates"].to_list() == [2, 3, 1]


def test_k_anonymity_keeps_everybody_from_being_identified() -> None:
    frame = pl.read_parquet(Path(__file__).parents[1] / "data" / "adult" / "adult.parquet").head(
        500
    )
    roles = mv.Roles(quasi_identifiers=["age", "sex", "education"], sensitive=["occupation"])
    released = mv.Mondrian(k=4).protect(frame, roles=roles)
    score = OutsideLinkage(known=["age", "sex", "education"]).measure(
        released, roles=roles, auxiliary=frame
    )
    assert score.value == 0
    assert score.frames["people"]["n_candidates"].min() == 4
    plain = OutsideLinkage(known=["age", "sex", "education"]).measure(
        frame, roles=roles, auxiliary=frame
    )
    assert plain.value > 0.1


def test_an_empty_list_and_an_empty_release_find_nobody() -> None:
    nobody = OutsideLinkage().measure(RELEASED, roles=ROLES, auxiliary=TEACHERS.head(0))
    assert nobody.value == 0
    assert nobody.interval is None
    nothing = OutsideLinkage().measure(RELEASED.head(0), roles=ROLES, auxiliary=TEACHERS)
    assert nothing.value == 0
    assert nothing.records is not None
    assert len(nothing.records) == 0


def test_mistakes_are_told_in_a_sentence() -> None:
    with pytest.raises(InputError, match="needs a list"):
        OutsideLinkage().measure(RELEASED)
    with pytest.raises(InputError, match="no column in common"):
        OutsideLinkage().measure(RELEASED, auxiliary={"x": [1]})
    with pytest.raises(ColumnError, match="'zap'"):
        OutsideLinkage(known="zap").measure(RELEASED, auxiliary=TEACHERS)
