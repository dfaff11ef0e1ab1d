from __future__ import annotations

import pytest

import microveil as mv
from tests.app.preset_recipes.cases import patients


def test_clinical_publication_reaches_its_threshold() -> None:
    frame = patients()
    recipe = mv.preset("clinical_publication", frame)
    release = mv.run(recipe, frame, seed=1)
    assert release.holds
    smallest, risk, third = (check.achieved for check in release.checks)
    assert smallest >= 12
    assert risk == pytest.approx(1 / smallest)
    assert third == 0
    left = recipe.roles.without(set(frame.columns) - set(release.data.columns))
    found = mv.check_preset("clinical_publication", release.data, roles=left)
    assert not any("highest risk" in problem for problem in found.problems)
    before = mv.check_preset("clinical_publication", frame, roles=recipe.roles)
    assert any("highest risk" in problem for problem in before.problems)
    eleven = mv.preset("clinical_publication", frame, threshold=1 / 11)
    assert eleven.require[0] == mv.KAnonymity(k=11)
