"""The same release, its labels written in another way, is read alike by risk and by utility."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.labels.decoding import decode
from microveil.tables import Table

ROLES = mv.Roles(quasi_identifiers=["age", "job"], sensitive=["pay"])
MEASURES = (
    mv.Inference(),
    mv.Linkability(),
    mv.RecordLinkage(),
    mv.ReplicatedUniques(),
    mv.GeneralizationLoss(),
    mv.EntropyLoss(),
    mv.DistributionDistance(),
)


def people(n: int = 150) -> pl.DataFrame:
    rng = np.random.default_rng(5)
    age = rng.integers(20, 60, n)
    jobs = np.array(["nurse", "doctor", "cook", "baker"])
    # Every end of an interval occurs, so that no way of writing it leaves a value open.
    age[:40] = np.arange(20, 60)
    return pl.DataFrame(
        {"age": age, "job": jobs[rng.integers(0, 4, n)], "pay": age // 5 * 100 + rng.integers(0, 3)}
    )


INTERVALS: dict[str, Callable[[int], str]] = {
    "[20, 25)": lambda low: f"[{low}, {low + 5})",
    "20-24": lambda low: f"{low}-{low + 4}",
    "20 – 24": lambda low: f"{low} – {low + 4}",
    "20—24": lambda low: f"{low}—{low + 4}",
    "[20..25)": lambda low: f"[{low}..{low + 5})",
    "(19; 24]": lambda low: f"({low - 1}; {low + 4}]",
    "[20, 25[": lambda low: f"[{low}, {low + 5}[",
    "{20, 21, …}": lambda low: "{" + ",".join(str(low + i) for i in range(5)) + "}",
}
GROUPS = {"nurse": "{nurse, doctor}", "doctor": "{nurse, doctor}"}
CLOSE = {"nurse": "{nurse,doctor}", "doctor": "{nurse,doctor}"}


def released(notation: str, groups: dict[str, str]) -> pl.DataFrame:
    write = INTERVALS[notation]
    return people().with_columns(
        pl.Series("age", [write(age // 5 * 5) for age in people()["age"].to_list()]),
        pl.col("job").replace(groups),
    )


@pytest.mark.parametrize("measure", MEASURES, ids=lambda one: one.kind())
@pytest.mark.parametrize("notation", [name for name in INTERVALS if name != "[20, 25)"])
def test_the_way_a_label_is_written_changes_no_score(measure: Any, notation: str) -> None:
    before, usual = people(), released("[20, 25)", GROUPS)
    other = released(notation, CLOSE)
    expected = measure.measure(before, usual, roles=ROLES).value
    assert measure.measure(before, other, roles=ROLES).value == pytest.approx(expected)


@pytest.mark.parametrize("notation", list(INTERVALS))
def test_decoding_and_attacks_draw_from_the_same_values(notation: str) -> None:
    before, after = Table(people()), Table(released(notation, CLOSE))
    drawn = decode(before, after, ("age", "job"), None)
    assert (drawn["age"] // 5 == before.frame["age"] // 5).all()
    assert set(drawn["job"].filter(before.frame["job"] == "nurse")) == {"nurse", "doctor"}


def test_nodes_of_a_tree_are_read_where_rows_are_in_another_order() -> None:
    tree = {"tree": {"health": ["nurse", "doctor", "vet"], "food": ["cook", "baker"]}}
    frame = people().with_columns(ill=pl.col("job").replace({"nurse": "a", "doctor": "b"}))
    roles = mv.Roles(quasi_identifiers=["job"], sensitive=["ill"])
    recipe = mv.Recipe(
        roles=roles, steps=[mv.Generalize(column="job", hierarchy=tree, level=1)], undeclared="keep"
    )
    release = mv.run(recipe, frame)
    shuffled = release.table.frame.sample(fraction=1, shuffle=True, seed=2)
    memory = mv.compare(frame, release, recipe=recipe, measures=["inference"])
    file = mv.compare(frame, shuffled, recipe=recipe, aligned=False, measures=["inference"])
    blind = mv.compare(frame, shuffled, roles, aligned=False, measures=["inference"])
    rate = memory.risk["inference"].parts["attack"]["rate"]
    assert file.risk["inference"].parts["attack"]["rate"] == pytest.approx(rate)
    assert blind.risk["inference"].parts["attack"]["rate"] < 0.8 * rate


def test_text_that_is_numbers_is_read_as_numbers() -> None:
    ages = pl.Series("age", ["5", "9", "12", "40"])
    for label in ("5-12", "[5, 13)", "<= 12"):
        loss = mv.GeneralizationLoss().measure(
            ages.to_frame(), pl.DataFrame({"age": [label] * 3 + ["40"]}), aligned=False
        )
        assert loss.value == pytest.approx(0.75 * 2 / 3), label
