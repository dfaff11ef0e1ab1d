from __future__ import annotations

from microveil.reports import summarize
from tests.reports.cases import (
    MakeRelease,
)


def test_a_recipe_without_requirements_is_not_called_safe(make_release: MakeRelease) -> None:
    verdict = summarize(make_release(k=None)).verdict

    assert verdict.tone == "open"
    assert "no requirement" in verdict.sentence
