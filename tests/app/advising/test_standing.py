"""Risk on the map: one scale, whatever was done to the records."""

from __future__ import annotations

import pytest

from microveil.app.advising.standing import risk_of
from microveil.app.running import run
from microveil.measures.subject import Subject
from microveil.methods import Drop, Method, Mondrian, Pram, SuppressRecords, Synthesize
from microveil.recipes import Recipe
from microveil.tables import Roles, Table
from tests.app.advising.cases import PEOPLE, ROLES


def risk(*steps: Method, roles: Roles = ROLES) -> float | None:
    recipe = Recipe(roles=roles, steps=[Drop(columns=["name"]), *steps])
    release = run(recipe, PEOPLE, seed=1)
    subject = Subject.made_by(recipe, release.original, release.whole)
    return risk_of(recipe, release.original, release.table, subject)


def test_classes_count_where_values_are_true_and_removed_records_are_not_found() -> None:
    plain, grouped, few = risk(), risk(Mondrian(k=5)), risk(SuppressRecords(k=2))
    assert plain is not None
    assert grouped is not None
    assert few is not None
    assert grouped <= 0.2 < plain
    assert few < plain


def test_changed_keys_are_linked_and_drawn_records_attacked() -> None:
    changed = risk(Pram(columns=["sex"], retention=0.5))
    drawn = risk(Synthesize())
    assert changed is not None
    assert drawn is not None
    assert 0 < changed < 1
    assert 0 <= drawn < 0.5


def test_without_keys_nobody_is_found() -> None:
    table = Table(PEOPLE, Roles())
    assert risk_of(Recipe(), table, table, Subject.of(table, table)) == pytest.approx(0)
