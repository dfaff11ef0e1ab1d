from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from microveil.app.suggesting import propose

CODES = ["I10", "I21", "J18", "J44", "K35", "S72"]
STAYS = pl.DataFrame(
    {
        "sex": ["f", "m"] * 180,
        "ward": [{"I": "heart", "J": "lung"}.get(CODES[i % 6][0], "surgery") for i in range(360)],
        "age": [20 + i % 40 for i in range(360)],
        "icd10": [CODES[i % 6] for i in range(360)],
    }
)
ROLES = mv.Roles(quasi_identifiers=["sex", "ward", "age"], sensitive=["icd10"])


def released(*steps: mv.Method) -> mv.Release:
    return mv.run(
        mv.Recipe(roles=ROLES, steps=steps, require=[mv.KAnonymity(k=5)], undeclared="drop"), STAYS
    )


def test_a_key_that_was_left_out_and_that_another_column_tells_is_cautioned() -> None:
    release = released(mv.Drop(columns=["ward", "age"]))
    (told,) = [one for one in release.cautions if one.kind == "derivable_keys"]
    assert told.columns == ("ward", "icd10")
    assert told.details["n_cells"] == 360
    by_hand = STAYS.group_by("sex", "ward").len()["len"].min()
    assert told.details["k"] == by_hand
    assert release.holds, "requirements are about the keys that are there"


@pytest.mark.parametrize("gone", [["ward", "icd10"], ["age"]])
def test_what_no_column_tells_is_gone(gone: list[str]) -> None:
    topics = {one.kind for one in released(mv.Drop(columns=gone)).cautions}
    assert "derivable_keys" not in topics


def test_a_proposal_does_not_leave_out_what_is_told_anyway() -> None:
    proposal = propose(STAYS, ROLES, k=5, seed=1)
    assert proposal.release.holds
    assert "ward" in proposal.release.table.columns
    assert "derivable_keys" not in {one.kind for one in proposal.release.cautions}
