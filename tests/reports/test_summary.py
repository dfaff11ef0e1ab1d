from __future__ import annotations

from microveil.release import Release
from microveil.reports.summarizing import summarize
from microveil.reports.summary import Decision


def test_what_is_hidden_is_not_in_the_plain_data(sound: Release) -> None:
    public = summarize(sound, audience="public").to_dict()
    internal = summarize(sound).to_dict()
    assert "risk" not in public
    assert "risk" in internal
    assert public["format"] == internal["format"] == 1
    assert isinstance(internal["content"]["columns"], list)
    assert isinstance(internal["requirements"][0], dict)
    assert None not in public.values()


def test_only_a_bad_decision_stops_a_release() -> None:
    assert not Decision("bad", "No", "It must not leave.").releasable
    assert Decision("open", "Open", "Nothing was required.").releasable
