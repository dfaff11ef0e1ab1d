from __future__ import annotations

import io

from microveil.cli.progress_lines import progress_lines


def test_without_a_terminal_long_work_says_a_line_now_and_then() -> None:
    out = io.StringIO()
    with progress_lines(out, pause=0.01) as lines:
        lines(3, 10, "mondrian")
        while not out.getvalue():
            pass
    assert out.getvalue().startswith("microveil: mondrian, 30% (0 s)\n")
    said = out.getvalue()
    assert out.getvalue() == said, "and none afterwards"


def test_quick_work_says_nothing() -> None:
    out = io.StringIO()
    with progress_lines(out, pause=60) as lines:
        lines(1, 2, "mondrian")
    assert out.getvalue() == ""
