from __future__ import annotations

import microveil as mv
from microveil.release.across_unknown import across_unknown


def test_what_nobody_compared_does_not_hold() -> None:
    recipe = mv.Recipe(require=[mv.AcrossReleases(k=3)])
    (check,) = across_unknown(recipe, 7)
    assert not check.holds
    assert "--registry" in check.sentence()
    assert across_unknown(mv.Recipe(), 7) == ()


def test_a_draft_with_the_requirement_releases_nothing() -> None:
    roles = mv.Roles(quasi_identifiers=["a"])
    draft = mv.Draft.start({"a": [1, 1, 1]}, roles).require(mv.AcrossReleases(k=2))
    assert not draft.release().holds
