"""From file to file: all targets together or not at all, and never over the source."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.files import format_of, write

KEY_RECIPE = mv.Recipe(
    roles=mv.Roles(identifiers=["name"], quasi_identifiers=["sex"], sensitive=["ill"]),
    steps=[mv.Pseudonymize(columns=["name"], mapping=True)],
    require=[mv.KAnonymity(k=2)],
)
PLAIN = mv.Recipe(
    roles=mv.Roles(identifiers=["name"], quasi_identifiers=["sex"], sensitive=["ill"]),
    steps=[mv.Drop(columns=["name"])],
    require=[mv.KAnonymity(k=2)],
)
FRAME = pl.DataFrame(
    {"name": ["Ada", "Ben", "Cleo"], "sex": ["f", "f", "f"], "ill": ["flu", "cold", "flu"]}
)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    FRAME.write_csv(path)
    return path


def _names(folder: Path) -> list[str]:
    return sorted(item.name for item in folder.iterdir())


def test_data_mapping_and_report_appear_together(source: Path, tmp_path: Path) -> None:
    done = mv.run_file(
        KEY_RECIPE, source, tmp_path / "out.csv", report=tmp_path / "r.html",
        mapping=tmp_path / "map.csv",
    )  # fmt: skip
    assert _names(tmp_path) == ["in.csv", "map.csv", "out.csv", "r.html"]
    assert [Path(report.path).name for report in done.written] == ["out.csv", "map.csv"]
    assert (tmp_path / "map.csv").stat().st_mode & 0o777 == 0o600
    assert "It was read back" in (tmp_path / "r.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"report": "no/r.html"}, "no folder"),
        ({"report": "r.docx"}, r"\.html, \.pdf or \.json"),
        ({"report": "in.csv/r.html"}, "no folder"),
        ({"mapping": "no/map.csv"}, "no folder"),
        ({"mapping": "map.xyz"}, "Unknown kind of file"),
        ({"mapping": "map.sas7bdat"}, "can only be read"),
        ({"out": "no/out.csv"}, "no folder"),
        ({"report": "out.html", "out": "out.csv", "mapping": "out.csv"}, "named for two things"),
    ],
)
def test_a_bad_target_is_told_before_any_work(
    more: dict[str, str], words: str, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def worked(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr("microveil.app.file_runs.whole.read_labelled", worked)
    targets = {"out": "out.csv", "mapping": "map.csv"} | more
    paths = {name: tmp_path / target for name, target in targets.items()}
    with pytest.raises(mv.FileError, match=words):
        mv.run_file(KEY_RECIPE, source, paths.pop("out"), **paths)  # type: ignore[arg-type]
    assert _names(tmp_path) == ["in.csv"]


def test_a_mapping_without_a_place_is_told_before_any_work(source: Path, tmp_path: Path) -> None:
    with pytest.raises(mv.InputError, match="--mapping FILE"):
        mv.run_file(KEY_RECIPE, tmp_path / "not there.csv", tmp_path / "out.csv")
    with pytest.raises(mv.InputError, match="No step of the recipe makes a mapping"):
        mv.run_file(PLAIN, source, tmp_path / "out.csv", mapping=tmp_path / "map.csv")


def test_a_report_that_fails_releases_nothing_and_keeps_the_old_files(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out.csv").write_text("old")

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("microveil.reports.writing.summarize", broken)
    with pytest.raises(RuntimeError):
        mv.run_file(
            KEY_RECIPE, source, tmp_path / "out.csv", report=tmp_path / "r.html",
            mapping=tmp_path / "map.csv",
        )  # fmt: skip
    assert _names(tmp_path) == ["in.csv", "out.csv"]
    assert (tmp_path / "out.csv").read_text() == "old"


def test_a_broken_release_has_a_report_and_nothing_else(source: Path, tmp_path: Path) -> None:
    recipe = KEY_RECIPE.with_values({"require.0.k": 9})
    done = mv.run_file(
        recipe, source, tmp_path / "out.csv", report=tmp_path / "r.json",
        mapping=tmp_path / "map.csv",
    )  # fmt: skip
    assert not done.holds
    assert done.written == ()
    assert _names(tmp_path) == ["in.csv", "r.json"]


def test_several_mappings_stand_beside_each_other(source: Path, tmp_path: Path) -> None:
    steps = [
        mv.Pseudonymize(columns=["name"], mapping=True),
        mv.Pseudonymize(columns=["ill"], mapping=True),
    ]
    recipe = mv.Recipe(roles=PLAIN.roles, steps=steps)
    mv.run_file(recipe, source, tmp_path / "out.csv", mapping=tmp_path / "map.csv")
    assert _names(tmp_path)[1:3] == [
        "map.pseudonymize_mapping.csv",
        "map.pseudonymize_mapping_1.csv",
    ]


SUFFIXES = ["csv", "parquet", "xlsx", "ods", "jsonl", "sav", "dta"]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("link", ["same", "symbolic", "hard", "dotted"])
def test_a_source_is_never_overwritten(suffix: str, link: str, tmp_path: Path) -> None:
    source, out = tmp_path / f"in.{suffix}", tmp_path / f"out.{suffix}"
    write(FRAME, source)
    before = source.read_bytes()
    if link == "same":
        out = source
    elif link == "symbolic":
        out.symlink_to(source)
    elif link == "hard":
        out.hardlink_to(source)
    else:
        (tmp_path / "sub").mkdir()
        out = tmp_path / "sub" / ".." / f"in.{suffix}"
    with pytest.raises(mv.FileError, match="an input is never overwritten"):
        mv.run_file(PLAIN, source, out)
    assert source.read_bytes() == before


@pytest.mark.parametrize("what", ["report", "mapping", "part"])
def test_nothing_else_overwrites_the_source_either(what: str, tmp_path: Path) -> None:
    source = tmp_path / {"report": "r.json", "mapping": "in.csv", "part": "out.b.csv"}[what]
    write(FRAME, source, format="csv", keep_order=True)
    more: dict[str, Any] = {"report": source} if what == "report" else {}
    recipe = PLAIN
    if what == "mapping":
        recipe, more = KEY_RECIPE, {"mapping": source}
    if what == "part":
        recipe = PLAIN.with_steps(mv.Decompose(groups={"a": ["sex"], "b": ["ill"]}))
    if what == "report":  # a source of another kind of name is read by saying so
        source = tmp_path / "in.csv"
        write(FRAME, source)
        (tmp_path / "r.json").unlink()
        (tmp_path / "r.json").hardlink_to(source)
    with pytest.raises(mv.FileError, match="an input is never overwritten"):
        mv.run_file(recipe, source, tmp_path / "out.csv", **more)
    assert mv.read(source).height == 3


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("record", "recipe.json"),
        ("record", "link.json"),
        ("report", "recipe.json"),
        ("out", "tree.csv"),
        ("record", "tree.csv"),
        ("metadata", "recipe.json"),
    ],
)
@pytest.mark.parametrize("dry_run", [False, True])
def test_neither_the_recipe_nor_a_file_it_names_is_overwritten(
    what: str, name: str, tmp_path: Path, *, dry_run: bool
) -> None:
    (tmp_path / "tree.csv").write_text("m;*\nf;*\n")
    step = mv.Generalize(column="sex", hierarchy={"hierarchy": "file", "path": "tree.csv"}, level=1)
    (tmp_path / "recipe.json").write_text(PLAIN.with_steps(step).to_yaml())
    (tmp_path / "link.json").symlink_to(tmp_path / "recipe.json")
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    write(FRAME, tmp_path / "in.csv")
    targets: dict[str, Any] = {"out": tmp_path / "out.csv"} | {what: tmp_path / name}
    recipe = mv.Recipe.read(tmp_path / "recipe.json")
    with pytest.raises(mv.FileError, match="an input is never overwritten"):
        mv.run_file(recipe, tmp_path / "in.csv", **targets, dry_run=dry_run)
    assert {name: (tmp_path / name).read_bytes() for name in before} == before


@pytest.mark.parametrize("suffix", ["sqlite", "duckdb"])
def test_a_table_of_the_source_is_never_overwritten(suffix: str, tmp_path: Path) -> None:
    base = tmp_path / f"people.{suffix}"
    write(FRAME, base, table="people")
    url = f"{suffix}:////{str(base).lstrip('/')}"
    for source, target, options in (
        (base, f"{url}?table=people", {"table": "people"}),
        (base, f"{url}?table=PEOPLE", {}),
        (f"{url}?query=select * from people", f"{url}?table=people", {}),  # noqa: S608 - a test's own
        (f"{url}?table=people", f"{url}?table=people", {}),
    ):
        with pytest.raises(mv.FileError, match="an input is never overwritten"):
            mv.run_file(PLAIN, source, target, options=options, replace_table=True)
    with pytest.raises(mv.FileError, match="an input is never overwritten"):
        mv.run_file(PLAIN, f"{url}?table=people", f"{url}?table=out", report=_alias(base))
    mv.run_file(PLAIN, f"{url}?table=people", f"{url}?table=released")
    assert mv.read(base, table="people").height == 3
    assert mv.read(base, table="released").columns == ["sex", "ill"]


def _alias(base: Path) -> Path:
    link = base.with_name("r.json")
    if not link.exists():
        os.link(base, link)
    return link


@pytest.mark.parametrize("suffix", ["sqlite", "duckdb"])
def test_a_table_is_replaced_or_added_to_only_when_told(
    suffix: str, source: Path, tmp_path: Path
) -> None:
    base = tmp_path / f"out.{suffix}"
    url = f"{suffix}:////{str(base).lstrip('/')}?table=t"
    mv.run_file(PLAIN, source, url)
    with pytest.raises(mv.FileError, match=r"already has a table 't'.*--replace.*--append"):
        mv.run_file(PLAIN, source, url)
    assert mv.read(base).height == 3
    mv.run_file(PLAIN, source, url, append_to_table=True)
    assert mv.read(base).height == 6
    mv.run_file(PLAIN, source, url, replace_table=True)
    assert mv.read(base).height == 3
    with pytest.raises(mv.FileError, match="Choose one"):
        mv.run_file(PLAIN, source, url, replace_table=True, append_to_table=True)
    narrow = PLAIN.with_steps(mv.Drop(columns=["ill"]))
    with pytest.raises(mv.FileError, match="it also has 'ill'"):
        mv.run_file(narrow, source, url, append_to_table=True)
    with pytest.raises(mv.FileError, match="CSV has no option 'replace'"):
        mv.run_file(PLAIN, source, tmp_path / "o.csv", replace_table=True)


@pytest.mark.parametrize("suffix", ["sqlite", "duckdb"])
def test_parts_go_into_the_same_database(suffix: str, source: Path, tmp_path: Path) -> None:
    base = tmp_path / f"out.{suffix}"
    recipe = PLAIN.with_steps(mv.Decompose(groups={"a": ["sex"], "b": ["ill"]}))
    done = mv.run_file(recipe, source, f"{suffix}:////{str(base).lstrip('/')}?table=t")
    assert len(done.written) == 2
    main, part = mv.read(base, table="t"), mv.read(base, table="t_b")
    assert main.join(part, on="link_id").height == 3


@pytest.mark.parametrize("name", ["out.csv.gz", "out.tsv.gz"])
def test_packed_files_are_written_and_checked(name: str, source: Path, tmp_path: Path) -> None:
    recipe = PLAIN.with_steps(mv.Decompose(groups={"a": ["sex"], "b": ["ill"]}))
    mv.run_file(recipe, source, tmp_path / name)
    assert mv.read(tmp_path / name).height == 3
    assert mv.read(tmp_path / name.replace("out.", "out.b.")).height == 3
    assert (tmp_path / name).read_bytes()[:2] == b"\x1f\x8b"


def test_only_what_is_shown_is_measured(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(*_: object, **__: object) -> None:
        raise AssertionError

    for name in ("take", "strictest_parameters"):
        monkeypatch.setattr(f"microveil.release.release.{name}", asked)
    done = mv.run_file(PLAIN, source, tmp_path / "out.csv")
    assert done.cell_changes.parts["removed_share"] == pytest.approx(1 / 3)
    before, after = done.outline
    assert (before.k, after.k) == (3, 3)
    with pytest.raises(AssertionError):
        _ = done.utility
    with pytest.raises(AssertionError):
        _ = done.after


def test_a_file_is_verified_and_read_back_once(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from microveil.files.delimited_text.delimited import back
    from microveil.release.verifying import verify

    counts = {"verify": 0, "back": 0}

    def counted_verify(*arguments: Any) -> Any:
        counts["verify"] += 1
        return verify(*arguments)

    def counted_back(*arguments: Any) -> Any:
        counts["back"] += 1
        return back(*arguments)

    monkeypatch.setattr("microveil.app.running.verify", counted_verify)
    monkeypatch.setitem(vars(format_of("x.csv")), "back", counted_back)
    mv.run_file(PLAIN, source, tmp_path / "out.csv", report=tmp_path / "r.json")
    assert counts == {"verify": 1, "back": 1}
