from __future__ import annotations

import pytest

from microveil.methods import METHODS
from microveil.studies.frontier.variants import ABSENT, missing_methods, on_adult, on_census
from microveil.studies.sources import adult, adult_hierarchies, census


@pytest.mark.parametrize("quick", [True, False])
def test_the_frontier_tries_what_it_can_and_knows_what_it_does_not(*, quick: bool) -> None:
    tried = [
        *on_census(census().columns, quick=quick),
        *on_adult(adult().columns, adult_hierarchies(), quick=quick),
    ]
    kinds = {step.kind() for _, _, step in tried}
    assert len(kinds) >= 20
    assert {*kinds, *missing_methods(tried), *ABSENT} == set(METHODS.classes)
    assert kinds.isdisjoint(ABSENT)
