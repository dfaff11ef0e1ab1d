from __future__ import annotations

import microveil as mv
from microveil.spec_cards import card_of
from microveil.specs import Spec

RECIPE = """
roles: {quasi_identifiers: [age, zip], sensitive: [<b>ill</b>]}
steps:
  - {method: drop, columns: [name]}
  - {method: pseudonymize, columns: [id], key_env: NAME_OF_THE_KEY}
require: [{model: k_anonymity, k: 5}]
"""


def test_a_recipe_shows_roles_steps_and_requirements_with_what_they_do() -> None:
    shown = card_of(mv.Recipe.from_yaml(RECIPE)).text()
    assert "quasi_identifiers  age, zip" in shown
    assert "1  drop          columns: name" in shown
    assert "Remove columns from the table." in shown
    assert "k: 5" in shown


def test_names_are_escaped_and_keys_stay_hidden() -> None:
    shown = mv.Recipe.from_yaml(RECIPE)._repr_html_()
    assert "<b>ill" not in shown
    assert "&lt;b&gt;ill" in shown
    assert "NAME_OF_THE_KEY" not in shown
    assert "(secret)" in shown


def test_what_is_not_set_is_not_shown() -> None:
    assert card_of(mv.Roles()).grids == ()
    (own,) = card_of(mv.Mondrian(k=5)).grids
    assert [row[:2] for row in own.rows] == [("k", "5")]


def test_long_values_are_cut() -> None:
    wide = mv.Roles(insensitive=[f"column_{i}" for i in range(200)])
    assert "…" in card_of(wide).text()
    assert len(card_of(wide).text()) < 500


def test_roles_goals_steps_and_models_show_themselves_in_notebooks() -> None:
    specs: list[Spec] = [mv.Roles(entity="who"), mv.Goal(audience="public"), mv.KAnonymity(k=3)]
    for spec in specs:
        shown = spec._repr_html_()
        assert type(spec).__name__ in shown
        assert "<table>" in shown
        assert "color" not in shown  # the notebook's own colours, light or dark
