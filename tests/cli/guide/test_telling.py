from __future__ import annotations

import pytest

import microveil as mv
from microveil.cli.guide.language import Speaker
from microveil.cli.guide.telling import tell_risk

ROWS = {"town": ["a", "a", "b", None], "sex": ["f", "f", "m", "m"]}


@pytest.mark.parametrize("language", ["en", "es", "ca", "et", "ru"])
def test_every_language_tells_k_the_worst_classes_and_the_unique_rows(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    roles = mv.Roles(quasi_identifiers=["town", "sex"])
    assessment = mv.assess(ROWS, roles=roles, measures="none")
    tell_risk(Speaker(language), assessment)
    told = capsys.readouterr().out
    say = Speaker(language)
    if language != "en":
        assert say("worst") in told
        assert say("k_found", k=1, acceptable=assessment.acceptable_k) in told
        assert "—" in told
    assert "town" in told
    assert "50" in told  # half of the records are in the largest class


def test_as_many_unique_rows_are_shown_as_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    roles = mv.Roles(quasi_identifiers=["n"])
    assessment = mv.assess({"n": range(1000, 1100)}, roles=roles, measures="none")
    tell_risk(Speaker("es"), assessment, n_uniques=8)
    told = capsys.readouterr().out
    assert "1007" in told
    assert "1008" not in told
