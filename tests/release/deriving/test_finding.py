"""What a release gives back of its keys is found, measured, and right."""

from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.app.suggesting import propose
from microveil.release.deriving import find_derivations
from tests.release.deriving.cases import KEYS, release_of, survey

APART = mv.LocalSuppression(k=3, household_columns=[])
TOPPED = mv.TopBottomCode(columns=["size"], top=4)


def found(release: mv.Release) -> dict[tuple[str, str, str], mv.release.deriving.Derivation]:
    return {(one.cause, one.by, one.key): one for one in release.derivations}


@pytest.mark.parametrize("dirt", [0.0, 0.004])
def test_a_suppressed_cell_is_read_off_another_member_in_spite_of_dirt(dirt: float) -> None:
    frame = survey(dirt=dirt)
    release = release_of(APART, without=("years",), frame=frame)
    one = found(release)["household", "home", "origin"]
    # Counted again, household by household.
    cells = release.table.frame.select("home", "origin").with_columns(was=frame["origin"])
    n = 0
    for home in cells.partition_by("home"):
        shown = set(home["origin"].drop_nulls())
        gone = home.filter(pl.col("origin").is_null())
        n += sum(shown == {was} for was in gone["was"])
    assert one.n_cells == n > 0
    assert one.strict
    assert one.values.filter(one.back).equals(frame["origin"].filter(one.back))


def test_counting_rows_restores_a_coarsened_size() -> None:
    frame = survey()
    one = found(release_of(TOPPED, without=("years",)))["count", "home", "size"]
    assert one.n_cells == one.n_hidden == frame.filter(pl.col("size") > 4).height
    assert "count" not in {cause for cause, _, _ in found(release_of(TOPPED, without=("home",)))}


def test_a_column_that_determines_a_key_gives_it_back() -> None:
    release = release_of(mv.LocalSuppression(k=3), without=("home",))
    one = found(release)["column", "years", "school"]
    assert one.n_cells == one.n_hidden == release.table.frame["school"].null_count()


def test_a_column_that_nearly_determines_a_key_gives_back_what_is_sure() -> None:
    frame = survey()
    odd = (pl.col("years") == 2) & (pl.int_range(pl.len()) % 2 == 0)
    frame = frame.with_columns(school=pl.when(odd).then(pl.lit("first")).otherwise("school"))
    release = release_of(mv.LocalSuppression(k=3), without=("home",), frame=frame)
    one = found(release)["column", "years", "school"]
    unsure = (frame["years"] == 2) & release.table.frame["school"].is_null()
    assert one.n_cells == one.n_hidden - int(unsure.sum())


def test_unrelated_columns_and_rare_answers_give_nothing_back() -> None:
    rare = pl.when(pl.int_range(pl.len()) % 60 == 0).then(pl.lit("yes")).otherwise(pl.lit("no"))
    frame = survey(n_homes=1_000).with_columns(sex=rare)
    # Nearly all households agree that the answer is no, which says nothing about those who differ.
    release = release_of(APART, without=("years", "size"), frame=frame)
    assert not any(key == "sex" for _, _, key in found(release))


def test_a_serial_number_of_homes_without_a_role_is_found_by_what_it_links() -> None:
    frame = survey(dirt=0).drop("years", "size")
    roles = mv.Roles(quasi_identifiers=["origin", "school", "age", "sex"], insensitive=["home"])
    recipe = mv.Recipe(roles=roles, steps=[APART], undeclared="keep")
    causes = {(one.cause, one.by, one.key) for one in mv.run(recipe, frame, seed=1).derivations}
    assert causes == {("column", "home", "origin")}


def test_a_pseudonym_links_as_well_and_a_dropped_id_does_not() -> None:
    secret = mv.Pseudonymize(columns=["home"])
    assert "household" in {one.cause for one in release_of(APART, secret, keep=()).derivations}
    assert release_of(APART, mv.Drop(columns=["home", "years"]), keep=()).derivations == ()


def test_rows_of_one_person_give_back_what_they_share() -> None:
    frame = pl.DataFrame(
        {
            "who": [f"p{i // 3}" for i in range(90)],
            "town": [f"t{i // 3 % 10}" for i in range(90)],
            "day": [i % 3 for i in range(90)],
        }
    )
    roles = mv.Roles(quasi_identifiers=["town", "day"], entity="who")
    original = mv.Table(frame, roles)
    gap = pl.when(pl.int_range(pl.len()) % 9 == 0).then(None).otherwise("town").alias("town")
    released = mv.Table(frame.with_columns(gap), roles)
    (one,) = find_derivations(original, released, frame.columns)
    assert (one.cause, one.by, one.key, one.n_cells) == ("person", "who", "town", 10)


@pytest.mark.parametrize("related", [True, False])
def test_labels_chosen_by_another_key_tell_it_only_if_the_values_did(related: bool) -> None:  # noqa: FBT001  a case
    frame = pl.DataFrame(
        {
            "job": [("clerk", "nurse")[i % 2] for i in range(400)],
            "area": [i % 4 if related else i // 2 % 4 for i in range(400)],
        }
    )
    original = mv.Table(frame, mv.Roles(quasi_identifiers=["job", "area"]))
    # As Mondrian does: areas of one job were cut elsewhere than those of the other.
    labels = frame["area"].cast(pl.String) + " or " + (frame["job"] == "clerk").cast(pl.String)
    hidden = pl.Series("job", ["any"] * 400)
    released = original.with_columns([hidden, labels.alias("area")])
    found = find_derivations(original, released, ["job", "area"])
    assert [(one.by, one.key, one.by_key) for one in found if one.key == "job"] == (
        [("area", "job", True)] if related else []
    )


@pytest.mark.parametrize("n_rows", [1, 6])
def test_what_a_code_means_is_learnt_from_people_however_many_rows_they_have(n_rows: int) -> None:
    def told(n_people: int) -> set[str]:
        each = pl.DataFrame(
            {
                "who": [f"p{i}" for i in range(n_people)],
                "code": [i % 2 for i in range(n_people)],
                "group": [7 if i % 2 else 200 for i in range(n_people)],
            }
        )
        frame = pl.concat([each] * n_rows)
        original = mv.Table(frame, mv.Roles(quasi_identifiers=["group"], entity="who"))
        released = original.with_columns([frame["group"].clip(upper_bound=1)])
        return {one.by for one in find_derivations(original, released, ["code", "group"])}

    # Two people with two codes: nobody can tell what either stands for.
    assert told(2) == set()
    assert told(40) == {"code"}


def test_a_number_that_links_rows_of_a_person_gives_back_what_one_of_them_shows() -> None:
    frame = pl.DataFrame(
        {
            "who": [f"p{i // 3}" for i in range(90)],
            "card": [i // 3 * 7 % 30 for i in range(90)],
            "town": [f"t{i // 3 % 10}" for i in range(90)],
        }
    )
    original = mv.Table(frame, mv.Roles(quasi_identifiers=["town"], entity="who"))
    gap = pl.when(pl.int_range(pl.len()) % 9 == 0).then(None).otherwise("town").alias("town")
    released = original.with_columns([frame.select(gap)["town"]])
    (one,) = find_derivations(original, released, ["card", "town"])
    assert (one.cause, one.by, one.n_cells, one.strict) == ("column", "card", 10, True)


def test_labels_of_other_members_that_say_more_are_used() -> None:
    frame = survey(dirt=0)
    coarse = pl.when(pl.int_range(pl.len()) % 5 == 0).then(pl.lit("any")).otherwise("origin")
    original = mv.Table(frame, mv.Roles(quasi_identifiers=["origin"], household="home"))
    released = original.with_columns([frame.select(coarse.alias("origin")).to_series()])
    (one,) = find_derivations(original, released, ["home", "origin"])
    assert one.cause == "household"
    assert one.n_cells > 100
    assert find_derivations(original, released, ["home", "origin"], perturbed=["origin"]) == ()


def test_rows_that_cannot_be_matched_tell_nothing() -> None:
    original = mv.Table(survey(), mv.Roles(quasi_identifiers=KEYS))
    fewer = mv.Table(survey().head(10), mv.Roles(quasi_identifiers=KEYS))
    assert find_derivations(original, fewer, survey().columns) == ()


CODES = ["I10", "I21", "J18", "J44", "K35", "S72"]
STAYS = pl.DataFrame(
    {
        "sex": ["f", "m"] * 180,
        "ward": [{"I": "heart", "J": "lung"}.get(CODES[i % 6][0], "surgery") for i in range(360)],
        "age": [20 + i % 40 for i in range(360)],
        "icd10": [CODES[i % 6] for i in range(360)],
    }
)
OF_STAYS = mv.Roles(quasi_identifiers=["sex", "ward", "age"], sensitive=["icd10"])


def released_stays(*steps: mv.Method) -> mv.Release:
    return mv.run(
        mv.Recipe(roles=OF_STAYS, steps=steps, require=[mv.KAnonymity(k=5)], undeclared="drop"),
        STAYS,
    )


def test_a_key_that_was_left_out_and_that_another_column_tells_is_cautioned() -> None:
    release = released_stays(mv.Drop(columns=["ward", "age"]))
    (told,) = [one for one in release.cautions if one.kind == "derivable_keys"]
    assert told.columns == ("ward", "icd10")
    assert told.details["n_cells"] == 360
    by_hand = STAYS.group_by("sex", "ward").len()["len"].min()
    assert told.details["k"] == by_hand
    assert release.holds, "requirements are about the keys that are there"


@pytest.mark.parametrize("gone", [["ward", "icd10"], ["age"]])
def test_what_no_column_tells_is_gone(gone: list[str]) -> None:
    topics = {one.kind for one in released_stays(mv.Drop(columns=gone)).cautions}
    assert "derivable_keys" not in topics


def test_a_proposal_does_not_leave_out_what_is_told_anyway() -> None:
    proposal = propose(STAYS, OF_STAYS, k=5, seed=1)
    assert proposal.release.holds
    assert "ward" in proposal.release.table.columns
    assert "derivable_keys" not in {one.kind for one in proposal.release.cautions}
