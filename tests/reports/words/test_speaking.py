from __future__ import annotations

import pytest

from microveil.errors import InputError
from microveil.reports.words.speaking import checked_language, current_language, say, speaking
from microveil.texts import Message

TOLD = Message("report.not_shown", "not shown")


def test_a_report_speaks_one_language_at_a_time() -> None:
    assert (current_language(), say(TOLD)) == ("en", "not shown")
    with speaking("es"):
        assert (current_language(), say(TOLD)) == ("es", "no se muestra")
    assert current_language() == "en"


def test_a_language_without_reports_is_refused() -> None:
    with pytest.raises(InputError, match="Choose one of en, es"):
        checked_language("et")
