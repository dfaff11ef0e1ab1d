from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from microveil.release import Release
from microveil.reports import write_report
from microveil.tables import Roles
from tests.reports.cases import MakeRelease, Widen, people
from tests.reports.pages import Page, page_of

EVIL = "<script>alert(1)</script>\"'&"


@pytest.mark.parametrize("audience", ["internal", "public"])
def test_a_page_stands_alone_and_is_well_formed(
    sound: Release, tmp_path: Path, audience: str
) -> None:
    page = page_of(sound, tmp_path, audience)

    assert page.open == []
    assert page.tags.count("h1") == page.tags.count("main") == 1
    assert {"script", "link", "iframe", "img", "object"}.isdisjoint(page.tags)
    assert {"src", "href", "xlink:href", "onload"}.isdisjoint(name for name, _ in page.attributes)
    css = (tmp_path / f"{audience}.html").read_text("utf-8").partition("</style>")[0]
    assert "@import" not in css
    assert "url(" not in css


def test_ids_are_unique_on_a_page(sound: Release, tmp_path: Path) -> None:
    ids = [value for name, value in page_of(sound, tmp_path).attributes if name == "id"]

    assert len(ids) == len(set(ids)) > 3


def test_names_that_look_like_html_stay_text(make_release: MakeRelease, tmp_path: Path) -> None:
    data = people().rename({"age": EVIL, "town": "<b>"}).with_columns(pl.lit(EVIL).alias("<b>"))
    roles = Roles(quasi_identifiers=[EVIL, "<b>"], sensitive=["income"], scenarios={EVIL: ["<b>"]})
    release = make_release(Widen(column=EVIL, label=EVIL), data=data, roles=roles)

    for audience in ("internal", "public"):
        page = page_of(release, tmp_path, audience)
        assert {"script", "b"}.isdisjoint(page.tags)
        assert EVIL in page.text


def test_a_hostile_title_stays_text(sound: Release, tmp_path: Path) -> None:
    page = Page(write_report(sound, tmp_path / "r.html", title=f"</title>{EVIL}"))

    assert "script" not in page.tags


@pytest.mark.parametrize("audience", ["internal", "public"])
def test_odd_tables_have_pages(make_release: MakeRelease, tmp_path: Path, audience: str) -> None:
    releases = [
        make_release(data=people().clear()),
        make_release(roles=Roles(insensitive=["age", "town", "income"]), k=None),
        make_release(data=people().select(pl.all().first()), k=None),
        make_release(data=people().with_columns(town=None), missing="wildcard"),
    ]
    for release in releases:
        assert page_of(release, tmp_path, audience).open == []


@pytest.mark.slow
def test_many_columns_stay_under_a_megabyte(make_release: MakeRelease, tmp_path: Path) -> None:
    names = [f"a rather long name of a column, number {i}" for i in range(400)]
    data = pl.DataFrame({name: [1, 1, 2] for name in names})
    roles = Roles(quasi_identifiers=names[:100], sensitive=names[-20:])
    path = write_report(make_release(data=data, roles=roles, k=None), tmp_path / "r.html")

    assert path.stat().st_size < 1_000_000
    assert names[-1] in path.read_text("utf-8")
