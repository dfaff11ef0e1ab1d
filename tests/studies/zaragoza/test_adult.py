"""Adult by its numeric keys, by its descriptive ones, and k against l."""

from __future__ import annotations

import pytest

from microveil.progress import silent
from microveil.studies.sources import adult, adult_hierarchies, adult_numbers
from microveil.studies.zaragoza import adult as subject
from microveil.studies.zaragoza.runs import KS


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    people, numbers = adult()[::20], adult_numbers()[::20]
    hierarchies = adult_hierarchies()
    monkeypatch.setattr(subject, "adult", lambda: people)
    monkeypatch.setattr(subject, "adult_numbers", lambda: numbers)
    monkeypatch.setattr(subject, "adult_hierarchies", lambda: hierarchies)


def test_numeric_keys_are_run_as_in_the_thesis() -> None:
    found = subject.on_numeric_keys(silent)
    least = [cell for cell in found.cells if cell.quantity == "smallest"]
    assert len(least) == 12
    assert all(cell.ours >= cell.where["k"] for cell in least)


def test_a_quick_run_on_descriptive_keys_is_of_the_thesis_algorithms() -> None:
    found = subject.on_descriptive_keys(silent, quick=True)
    assert len({cell.where["algorithm"] for cell in found.cells}) == 3


def test_what_is_required_is_reached_and_diversity_costs_classes() -> None:
    cells = subject.against_diversity(silent).cells
    found = {(cell.where["required"], cell.quantity): cell.ours for cell in cells}
    for k in KS:
        assert found[f"{k}-anonymity", "k reached"] >= k
    for least in subject.LS:
        name = f"{least}-diversity (k = 2)"
        assert found[name, "distinct occupations, least"] >= least
        assert found[name, "combinations"] <= found["2-anonymity", "combinations"]
