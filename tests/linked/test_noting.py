"""Linked releases in the registry: noted with their people, compared, and never without files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.errors import MicroveilError
from microveil.linked.noting import compare_linked, people_ids
from microveil.registry import Registry, RegistryTerms
from microveil.registry.recognising import recognise

KEY = b"a secret of 32 bytes, kept apart"
TABLES: dict[str, dict[str, Any]] = {
    "patients": {"id": range(12), "sex": ["f", "m"] * 6, "town": ["a"] * 6 + ["b"] * 6},
    "visits": {"patient": [i % 12 for i in range(24)], "ward": ["x", "y"] * 12},
}


def _release(known: str, dropped: str, k: int = 3) -> mv.LinkedRelease:
    recipe = mv.LinkedRecipe.parse(
        {
            "tables": {
                "patients": {
                    "roles": {"quasi_identifiers": [known]},
                    "steps": [{"method": "drop", "columns": [dropped]}],
                },
                "visits": {"roles": {"sensitive": ["ward"]}},
            },
            "links": ["visits.patient -> patients.id"],
            "people": {
                "table": "patients", "key": "id", "quasi_identifiers": [known],
                "require": [{"model": "k_anonymity", "k": k}],
            },
        }
    )  # fmt: skip
    return mv.run_linked(recipe, TABLES, seed=1)


@pytest.fixture
def terms(tmp_path: Path) -> RegistryTerms:
    registry = Registry(tmp_path / "r.db", key=KEY, create=True)
    return RegistryTerms(registry, source="hospital")


def test_two_linked_releases_of_the_same_people_are_compared(
    terms: RegistryTerms, tmp_path: Path
) -> None:
    written = _release("sex", "town").write(tmp_path / "first", registry=terms)
    assert [Path(one.path).parent for one in written] == [tmp_path / "first"] * 2
    (noted,) = terms.registry.releases()
    assert (noted.kind, noted.n_people, noted.source) == ("linked", 12, "hospital")
    assert {one.name for one in noted.outputs} == {"patients.csv", "visits.csv"}
    assert not [one for one in tmp_path.iterdir() if one.name.startswith(".microveil")]
    found = compare_linked(_release("town", "sex", k=6), terms).composition
    assert (found.n_people, found.smallest, found.holds) == (12, 3, False)


def test_a_table_of_the_same_people_is_compared_with_a_linked_release(
    terms: RegistryTerms, tmp_path: Path
) -> None:
    _release("sex", "town").write(tmp_path / "first.sqlite", registry=terms)
    assert recognise(terms.registry, tmp_path / "first.sqlite").holds
    recipe = mv.Recipe.from_yaml(
        "{roles: {quasi_identifiers: [town]}, steps: [{method: drop, columns: [id, sex]}],"
        " require: [{model: k_anonymity, k: 6}]}"
    )
    own = RegistryTerms(terms.registry, source="hospital", person="id")
    release = mv.run(recipe, TABLES["patients"], registry=own)
    assert release.registration is not None
    assert release.registration.composition.n_people == 12
    assert release.registration.composition.n_below == 12


def test_what_is_refused_is_neither_written_nor_noted(terms: RegistryTerms, tmp_path: Path) -> None:
    with pytest.raises(MicroveilError):
        _release("sex", "town", k=13).write(tmp_path / "first", registry=terms)
    assert terms.registry.releases() == ()
    assert not list((tmp_path / "first").glob("*")) if (tmp_path / "first").exists() else True


def test_people_are_named_by_their_key_as_it_was() -> None:
    release = _release("sex", "town")
    assert people_ids(release).to_list() == [str(i) for i in range(12)]
    assert release.data["patients"]["id"].cast(pl.String).to_list() != people_ids(release).to_list()
