from __future__ import annotations

from typing import get_args

import pytest

from microveil.app.inspection.result import Role
from microveil.app.inspection.role_names import ROLE_NAMES
from microveil.texts import LANGUAGES, translate


def test_every_role_has_a_name() -> None:
    assert set(ROLE_NAMES) == set(get_args(Role))


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_every_language_has_its_own(language: str) -> None:
    told = {translate(name, language) for name in ROLE_NAMES.values()}
    assert len(told) == len(ROLE_NAMES)
    assert not told & {str(name) for name in ROLE_NAMES.values()} - {"sensible"}
