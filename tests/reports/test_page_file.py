from __future__ import annotations

import pytest

from microveil.release.verifying import WrittenFile
from microveil.reports.page_file import file_lines


@pytest.mark.parametrize(
    ("holds", "kind", "mark"), [(True, "holds", "✓"), (False, "broken", "✗"), (None, "unread", "")]
)
def test_the_file_is_named_with_what_reading_it_back_found(
    holds: bool | None,  # noqa: FBT001  a table of cases
    kind: str,
    mark: str,
) -> None:
    page = str(file_lines(WrittenFile("<a>.csv", 12345, "abc123", holds, "It was read.")))
    assert "&lt;a&gt;.csv" in page
    assert "12,345 bytes" in page
    assert "abc123" in page
    assert f'class="{kind}"' in page
    assert mark in page


def test_what_is_unknown_is_left_out() -> None:
    assert file_lines(None) is None
    page = str(file_lines(WrittenFile("t", None, None, None, "Written to a database.")))
    assert "bytes" not in page
    assert "SHA-256" not in page
