"""A column may have any name, also one that the library gives columns of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.tables import LazyTable
from microveil.tables.names import free_name

NAMES = [
    ("__n", "__class"),
    ("__value", "__total"),
    ("__count", "__pattern"),
    ("n", "class"),
    ("value", "weight"),
    ("size", "place"),
    ("row", "person"),
    ("__people", "__size"),
    ("__before", "__after"),
    ("set", "k0"),
]


def frame_of(names: tuple[str, str]) -> pl.DataFrame:
    one, other = names
    return pl.DataFrame(
        {
            one: ["x", "x", "y", "y", None, "x"] * 2,
            other: [1, 1, 2, 2, 2, None] * 2,
            "ill": ["a", "b", "c", "a", "b", "c"] * 2,
            "who": [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
        }
    )


@pytest.mark.parametrize("entity", [None, "who"])
@pytest.mark.parametrize("names", NAMES)
def test_every_count_works_whatever_the_keys_are_called(
    names: tuple[str, str], entity: str | None, tmp_path: Path
) -> None:
    frame = frame_of(names)
    roles = mv.Roles(quasi_identifiers=names, sensitive=["ill"], entity=entity)
    plain = frame.rename({names[0]: "key one", names[1]: "key two"})
    usual = mv.Roles(quasi_identifiers=["key one", "key two"], sensitive=["ill"], entity=entity)
    frame.write_parquet(tmp_path / "town.parquet")
    plain.write_parquet(tmp_path / "plain.parquet")
    for missing in ("category", "wildcard"):
        for data, other in ((frame, plain), (frame.lazy(), plain.lazy())):
            found = classes(data, roles, missing)
            expected = classes(other, usual, missing)
            assert sorted(found.sizes) == sorted(expected.sizes)
            for model, like in zip(
                models(tmp_path / "town.parquet"), models(tmp_path / "plain.parquet"), strict=True
            ):
                assert (
                    model.verify_noting_missing(found).to_dict()
                    == like.verify_noting_missing(expected).to_dict()
                )
        assert found.histogram("ill").n_values == 3
        for measure in (
            mv.ClassSizes(missing=missing),
            mv.IndividualRisk(missing=missing),
            mv.ReidentificationRisk(missing=missing),
            mv.SpecialUniques(missing=missing),
        ):
            ours = measure.measure(frame, roles=roles).value
            assert ours == pytest.approx(measure.measure(plain, roles=usual).value)
        assert (
            mv.assess(frame, roles, missing=missing).k == mv.assess(plain, usual, missing=missing).k
        )


def classes(data: Any, roles: mv.Roles, missing: Any) -> mv.Classes:
    table = LazyTable(data, roles) if isinstance(data, pl.LazyFrame) else mv.Table(data, roles)
    return mv.Classes.of(table, missing=missing)


def models(population: Path) -> list[mv.PrivacyModel]:
    return [
        mv.KAnonymity(k=2),
        mv.LDiversity(l=2),
        mv.TCloseness(t=0.1),
        mv.AlphaKAnonymity(alpha=0.5, k=2),
        mv.AverageRisk(threshold=0.5),
        mv.KMap(k=2, population=str(population)),
        mv.DeltaPresence(maximum=0.5, population=str(population)),
        mv.PopulationUniqueness(threshold=0.1, sampling_share=0.5, estimator="zayatz"),
    ]


@pytest.mark.parametrize("names", NAMES)
def test_steps_form_classes_whatever_the_keys_are_called(names: tuple[str, str]) -> None:
    frame = frame_of(names)
    roles = mv.Roles(quasi_identifiers=names, sensitive=["ill"])
    goal: dict[str, Any] = {"models": [mv.KAnonymity(k=2), mv.LDiversity(l=2)]}
    for step in (
        mv.SuppressRecords(k=2),
        mv.LocalSuppression(k=2),
        mv.LocalRecoding(**goal, steps=50),
        mv.OptimalGeneralization(**goal, suppression_share=0.5),
        mv.Incognito(k=2, suppression_share=0.5),
        mv.Mondrian(k=2),
        mv.Datafly(k=2),
    ):
        released = mv.run(mv.Recipe(roles=roles, steps=[step]), frame, seed=1)
        assert released.risk.k >= 2


def test_our_name_gives_way() -> None:
    assert free_name("n", []) == "n"
    assert free_name("n", ["n", "n_"]) == "n__"
