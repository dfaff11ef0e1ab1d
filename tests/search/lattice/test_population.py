"""Goals that count the people of a population, beside the models asked at every node."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.errors import InputError
from microveil.methods.local_recoding.step import LocalRecoding
from microveil.methods.optimal_generalization import OptimalGeneralization
from microveil.privacy import Check, DeltaPresence, KAnonymity, KMap
from microveil.search.lattice.lattice_search import search_lattice
from microveil.tables import Classes, Roles, Table
from tests.search.exhaustive import (
    HIERARCHIES,
    KEYS,
    ROLES,
    TOPS,
    assume_values,
    frame_of,
    generalized,
    plain_loss,
    rows,
)

tables = st.lists(rows, min_size=2, max_size=15)
crowds = st.lists(rows, min_size=0, max_size=25)
models = st.one_of(
    st.builds(lambda k: {"k": k}, st.integers(2, 6)),
    st.builds(
        lambda low, high: {"minimum": low, "maximum": high},
        st.sampled_from([0.0, 0.0, 0.1, 0.3]),
        st.sampled_from([0.4, 0.6, 1.0]),
    ),
)


def model_of(how: dict[str, Any], path: str | None) -> KMap | DeltaPresence:
    return KMap(population=path, **how) if "k" in how else DeltaPresence(population=path, **how)


def solutions(
    frame: pl.DataFrame, population: pl.DataFrame, how: dict[str, Any], most: int
) -> dict[tuple[int, ...], tuple[float, int]]:
    """Loss and suppressed records of every node that the model accepts, population and all."""
    found = {}
    model = model_of(how, None)

    def checked(kept: list[int], now: pl.DataFrame, people: pl.DataFrame) -> tuple[Check, Classes]:
        classes = Classes.of(Table(now[kept], ROLES), KEYS)
        return model.against(classes, people), classes

    for levels in product(*(range(top + 1) for top in TOPS)):
        now, people = generalized(frame, levels), generalized(population, levels)
        kept = list(range(frame.height))
        while kept:
            check, classes = checked(kept, now, people)
            broken = set(check.broken_in.tolist())
            if check.holds or not broken:
                break
            numbers = classes.record_class.tolist()
            kept = [i for i, number in zip(kept, numbers, strict=True) if number not in broken]
        out = [i not in kept for i in range(frame.height)]
        if kept and sum(out) <= most and checked(kept, now, people)[0].holds:
            found[levels] = plain_loss(frame, levels, out, {"loss": "loss"}), sum(out)
    return found


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(some=tables, others=crowds, how=models, share=st.sampled_from([0.0, 0.3]))
def test_the_best_node_is_the_one_found_by_asking_the_model_everywhere(
    tmp_path: Path, some: list[Any], others: list[Any], how: dict[str, Any], share: float
) -> None:
    frame, population = frame_of(some), frame_of(some + others)
    assume_values(frame)
    path = tmp_path / "people.parquet"
    population.write_parquet(path)
    result = search_lattice(
        frame,
        ROLES,
        models=[model_of(how, str(path))],
        hierarchies=HIERARCHIES,
        suppression_share=share,
    )
    expected = solutions(frame, population, how, math.floor(share * frame.height + 1e-9))
    assert (result.optimum is None) == (not expected)
    if result.optimum is not None:
        levels = tuple(result.optimum.levels.values())
        assert result.proved
        assert result.optimum.loss == pytest.approx(min(loss for loss, _ in expected.values()))
        assert result.optimum.n_suppressed == expected[levels][1]


def test_people_whom_no_hierarchy_lists_are_company_only_where_all_is_a_star(
    tmp_path: Path,
) -> None:
    path = tmp_path / "people.csv"
    path.write_text("town\n" + "Lyon\n" * 2 + "Nice\n" * 9, encoding="utf-8")
    trees = {"town": {"tree": {"FR": ["Lyon", "Paris"]}}}
    step = OptimalGeneralization(
        columns=["town"], hierarchies=trees, models=[KMap(k=3, population=str(path))]
    )
    assert step.protect({"town": ["Lyon", "Lyon"]})["town"].to_list() == ["*", "*"]


def test_a_release_keeps_the_promise_about_the_population(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    towns = ["Lyon"] * 8 + ["Paris"] * 3 + ["Rome"] * 9 + ["Bari"] * 2 + ["Pisa"] * 7
    pl.DataFrame({"town": towns}).write_csv(path)
    trees = {"town": {"tree": {"FR": ["Lyon", "Paris"], "IT": ["Rome", "Bari", "Pisa"]}}}
    frame = pl.DataFrame({"town": ["Lyon", "Rome", "Bari"]})
    step = OptimalGeneralization(
        columns=["town"], hierarchies=trees, models=[KMap(k=5, population=str(path))]
    )
    # Two people live in Bari, but eighteen in Italy, some of them in a town that no record has.
    assert step.protect(frame)["town"].to_list() == ["FR", "IT", "IT"]
    more = step.model_copy(update={"models": (KMap(k=18, population=str(path)),)})
    assert more.protect(frame)["town"].to_list() == ["*"] * 3
    some = more.model_copy(update={"suppression_share": 0.4})
    assert some.protect(frame)["town"].to_list() == ["IT", "IT"]


def test_a_requirement_about_a_population_leads_no_search(tmp_path: Path) -> None:
    """Its population is in the coding of the release, which the search is yet to find."""
    path = tmp_path / "people.csv"
    pl.DataFrame({"sex": ["f", "m"] * 6}).write_csv(path)
    required = KMap(k=3, population=str(path))
    step = OptimalGeneralization(hierarchies={"sex": {"tree": ["f", "m"]}})
    frame = pl.DataFrame({"sex": ["f", "m"] * 3})
    roles = Roles(quasi_identifiers=["sex"])
    recipe = mv.Recipe(roles=roles, steps=[step], require=[required, KAnonymity(k=3)])
    assert mv.run(recipe, frame, seed=1).data["sex"].n_unique() == 2
    with pytest.raises(InputError, match="other than about a population"):
        mv.run(mv.Recipe(roles=roles, steps=[step], require=[required]), frame)


@pytest.mark.parametrize(("step", "entity"), [(OptimalGeneralization, "id"), (LocalRecoding, None)])
def test_where_a_population_cannot_be_generalised_along_one_sentence_says_so(
    step: type[OptimalGeneralization | LocalRecoding], entity: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "people.csv"
    pl.DataFrame({"sex": ["f", "m"] * 6}).write_csv(path)
    frame = pl.DataFrame({"sex": ["f", "m"] * 3, "id": range(6)})
    roles = Roles(quasi_identifiers=["sex"], entity=entity)
    able = step(models=[KMap(k=3, population=str(path))])
    with pytest.raises(InputError, match="looks keys up in a population"):
        able.protect(frame, roles=roles)
