"""Reports in a real browser: nothing sticks out, on a phone or on a desk, and they print."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from microveil.release import Release
from microveil.reports import write_report
from microveil.tables import Roles
from tests.reports.cases import MakeRelease, Widen, people

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
BROWSER = next((path for name in NAMES if (path := shutil.which(name))), None)
pytestmark = pytest.mark.skipif(
    BROWSER is None, reason=f"no browser is installed: {', '.join(NAMES)}"
)

PHONE, DESK = 390, 1280
LONG = "a_column_whose_name_has_no_end_" * 4

# Shows the page in a frame of a given width, and writes down how wide its content is and what
# sticks out; what stands in a box that scrolls by itself does not.
FRAME = """<!doctype html><meta charset="utf-8">
<body style="margin:0"><iframe id="page" style="width:{width}px;height:1000px;border:0"
srcdoc="{page}"></iframe><pre id="found"></pre>
<script>
document.getElementById("page").addEventListener("load", (event) => {{
  const inner = event.target.contentDocument, root = inner.documentElement;
  const out = [...inner.querySelectorAll("body *")].filter((one) =>
    !one.closest(".scroll, svg") && one.getBoundingClientRect().right > {width} + 0.5);
  document.getElementById("found").textContent = JSON.stringify({{
    width: root.scrollWidth, sections: inner.querySelectorAll("section").length,
    figures: inner.querySelectorAll("figure svg").length,
    tall: root.scrollHeight, out: out.map((one) => one.tagName + "." + one.className)}});
}});
</script>"""


def browse(*arguments: str) -> str:
    assert BROWSER is not None
    quiet = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")
    done = subprocess.run(  # noqa: S603  a browser, on our own page
        [BROWSER, *quiet, "--virtual-time-budget=5000", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout


def measured(report: Path, width: int) -> dict[str, Any]:
    """What a browser makes of the report in a window of this width."""
    text = report.read_text("utf-8")
    # The frame's own script must see the page, so that its policy is left out of the copy.
    bare = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    frame = report.with_name(f"frame_{width}.html")
    frame.write_text(FRAME.format(width=width, page=html.escape(bare)), "utf-8")
    dom = browse("--dump-dom", frame.as_uri())
    found = re.search(r'<pre id="found">(.*?)</pre>', dom, re.DOTALL)
    assert found, "the page did not load"
    plain: dict[str, Any] = json.loads(html.unescape(found[1]))
    return plain


@pytest.fixture
def odd(make_release: MakeRelease) -> Release:
    """Long names, long values and many columns: what breaks a layout."""
    data = people().rename({"town": LONG}).with_columns(pl.col(LONG) + "x" * 200)
    more = {f"further_{i}": [1] * 200 for i in range(60)}
    data = data.with_columns(**{name: pl.Series(values) for name, values in more.items()})
    roles = Roles(quasi_identifiers=["age", LONG], sensitive=["income"], insensitive=list(more))
    return make_release(Widen(column="age"), data=data, roles=roles, k=None)


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("audience", ["internal", "public"])
def test_nothing_sticks_out_of_a_report(
    sound: Release, tmp_path: Path, audience: str, width: int
) -> None:
    written = sound.write(tmp_path / "out.csv")
    report = write_report(sound, tmp_path / "r.html", audience=audience, written=written)

    found = measured(report, width)

    assert found["sections"] >= 6
    assert found["figures"] == (5 if audience == "internal" else 1)
    assert found["width"] <= width
    assert found["out"] == []


def test_odd_names_do_not_break_the_phones_page(odd: Release, tmp_path: Path) -> None:
    found = measured(write_report(odd, tmp_path / "r.html"), PHONE)

    assert found["width"] <= PHONE
    assert found["out"] == []


def test_a_report_is_drawn_and_printed(sound: Release, tmp_path: Path) -> None:
    report = write_report(sound, tmp_path / "r.html")
    picture, paper = tmp_path / "r.png", tmp_path / "r.pdf"

    browse(f"--screenshot={picture}", f"--window-size={DESK},1600", report.as_uri())
    browse(f"--print-to-pdf={paper}", report.as_uri())

    assert picture.read_bytes().startswith(b"\x89PNG")
    # An empty page of this size takes under ten thousand bytes.
    assert picture.stat().st_size > 50_000
    assert paper.read_bytes().startswith(b"%PDF")
    assert (
        paper.read_bytes().count(b"/Type /Page\n") + paper.read_bytes().count(b"/Type /Page ") > 1
    )
