from __future__ import annotations

from microveil.linked.links import Link, check_links
from microveil.studies.examples.omop import CONCEPTS, OMOP_RECIPE, omop_tables


def test_five_tables_without_orphans() -> None:
    tables = omop_tables(200)
    assert len(tables) == 5
    check_links(tables, [Link.parse(text) for text in OMOP_RECIPE["links"]])
    assert set(tables["concept"]["concept_id"]) == set(CONCEPTS)


def test_another_seed_gives_other_data_and_the_same_the_same() -> None:
    first, second, other = omop_tables(50, 1), omop_tables(50, 1), omop_tables(50, 2)
    assert all(first[name].equals(second[name]) for name in first)
    assert not first["person"].equals(other["person"])


def test_events_lie_within_their_visits() -> None:
    tables = omop_tables(100)
    both = tables["measurement"].join(tables["visit_occurrence"], on="visit_occurrence_id")
    day = both["measurement_date"]
    assert ((day >= both["visit_start_date"]) & (day <= both["visit_end_date"])).all()
