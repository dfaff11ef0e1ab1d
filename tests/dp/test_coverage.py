from __future__ import annotations

from typing import Literal

import numpy as np

import microveil as mv
from microveil.dp.coverage import Coverage, coverage
from microveil.methods import Method, Outcome
from microveil.methods.parts.base import Guarantee
from microveil.tables import Table

TABLE = Table({"town": ["a", "b"], "ill": ["y", "n"], "pay": [1.0, 2.0]})


class Promise(Method):
    """A step that keeps what it is told to guarantee."""

    method: Literal["promise"] = "promise"
    column: str
    epsilon: float

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(self.epsilon, (self.column,))

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  changes nothing
        return Outcome(table)


TOWN, ILL = Promise(column="town", epsilon=1.0), Promise(column="ill", epsilon=0.5)


def covered(*steps: Method, released: tuple[str, ...] = ("town", "ill")) -> Coverage:
    found = coverage(steps, TABLE, released)
    assert found is not None
    return found


def test_steps_that_promise_nothing_cover_nothing() -> None:
    assert coverage([mv.Drop(columns=["pay"])], TABLE, ["town"]) is None


def test_losses_add_up_and_only_what_is_covered_holds() -> None:
    both = covered(TOWN, ILL)
    assert (both.epsilon, both.covered, both.holds) == (1.5, ("town", "ill"), True)
    assert "Nothing else is released" in both.sentence
    one = covered(TOWN)
    assert (one.uncovered, one.holds) == (("ill",), False)
    assert "does not cover column 'ill'" in one.sentence


def test_a_step_over_many_rows_before_the_noise_spoils_its_columns() -> None:
    shuffled = mv.Permute(columns=["town"])
    assert covered(shuffled, TOWN).covered == ()
    assert covered(TOWN, shuffled, released=("town",)).holds


def test_rows_removed_by_other_columns_spoil_everything() -> None:
    roles = mv.Roles(quasi_identifiers=["ill"])
    step = mv.SuppressRecords(k=2)
    found = coverage([TOWN, step], TABLE.with_roles(roles), ["town"])
    assert found is not None
    assert found.covered == ()
    assert found.sentence.startswith("No released column is differentially private")


def test_it_is_plain_data() -> None:
    plain = covered(TOWN).to_dict()
    assert plain["covered"] == ["town"]
    assert plain["delta"] == 0
