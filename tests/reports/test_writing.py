from __future__ import annotations

import json
import sys
from datetime import date
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest

from microveil.errors import FileError, RequirementNotMetError
from microveil.release import Release
from microveil.reports import summarize, write_report
from microveil.reports.figures import figures_of
from microveil.tables import Roles
from tests.reports.cases import COUNTED, LABEL, RARE, SCALE, Jitter, MakeRelease, Widen, people

EVIL = "<script>alert(1)</script>\"'&"


class Page(HTMLParser):
    """What a browser would make of a page: its tags, attributes and text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(path.read_text("utf-8"))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "br", "hr"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def page_of(release: Release, folder: Path, audience: str = "internal") -> Page:
    return Page(write_report(release, folder / f"{audience}.html", audience=audience))


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


@pytest.mark.parametrize(("audience", "n_figures"), [("internal", 5), ("public", 1)])
def test_each_audience_has_its_figures(
    sound: Release, tmp_path: Path, audience: str, n_figures: int
) -> None:
    assert page_of(sound, tmp_path, audience).tags.count("svg") == n_figures


def test_no_risk_figure_is_even_drawn_for_the_public(sound: Release) -> None:
    figures = figures_of(sound, summarize(sound, "public"))

    assert [one.about for one in figures] == ["utility"]


@pytest.mark.parametrize("suffix", [".html", ".json"])
def test_marked_values_reach_no_public_file(sound: Release, tmp_path: Path, suffix: str) -> None:
    path = write_report(sound, tmp_path / f"public{suffix}", audience="public")

    text = path.read_text("utf-8")

    # k of the requirement is 17, the table's k is 98, and 4 records were left out of 200.
    marks = [str(SCALE + 0.5), str(COUNTED), f"{COUNTED:,}", LABEL, RARE, "17-anonymity"]
    assert [mark for mark in marks if mark in text] == []
    internal = write_report(sound, tmp_path / f"internal{suffix}").read_text("utf-8")
    assert str(SCALE + 0.5)[:5] in internal
    assert "17-anonymity" in internal


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


def test_json_says_what_the_summary_says(sound: Release, tmp_path: Path) -> None:
    day = date(2024, 2, 29)
    path = write_report(sound, tmp_path / "r.json", today=day)

    assert json.loads(path.read_text("utf-8")) == summarize(sound, today=day).to_dict()


def test_a_broken_release_is_reported_in_red(broken: Release, tmp_path: Path) -> None:
    page = page_of(broken, tmp_path)

    assert "NOT RELEASED" in page.text
    assert ("class", "verdict bad") in page.attributes
    assert "3-anonymity" in page.text


def test_a_broken_release_writes_no_public_report(broken: Release, tmp_path: Path) -> None:
    with pytest.raises(RequirementNotMetError):
        write_report(broken, tmp_path / "public.html", audience="public")

    assert list(tmp_path.iterdir()) == []


def test_changed_values_are_cautioned_about_on_the_page(
    make_release: MakeRelease, tmp_path: Path
) -> None:
    page = page_of(make_release(Jitter(column="age"), k=None), tmp_path)

    assert "Not valid evidence" in page.text


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


def test_many_columns_stay_under_a_megabyte(make_release: MakeRelease, tmp_path: Path) -> None:
    names = [f"a rather long name of a column, number {i}" for i in range(400)]
    data = pl.DataFrame({name: [1, 1, 2] for name in names})
    roles = Roles(quasi_identifiers=names[:100], sensitive=names[100:])
    path = write_report(make_release(data=data, roles=roles, k=None), tmp_path / "r.html")

    assert path.stat().st_size < 1_000_000
    assert names[-1] in path.read_text("utf-8")


def test_without_the_plots_extra_the_page_says_so(
    sound: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)

    page = page_of(sound, tmp_path)

    assert "svg" not in page.tags
    assert "microveil[plots]" in page.text


def test_a_release_writes_its_own_report(sound: Release, tmp_path: Path) -> None:
    assert sound.report(tmp_path / "r.html", audience="public").exists()


@pytest.mark.parametrize("name", ["r.pdf", "report"])
def test_another_kind_of_file_is_refused(sound: Release, tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match=r"\.html or \.json"):
        write_report(sound, tmp_path / name)


def test_a_report_needs_an_existing_folder(sound: Release, tmp_path: Path) -> None:
    with pytest.raises(FileError):
        write_report(sound, tmp_path / "nowhere" / "r.html")
