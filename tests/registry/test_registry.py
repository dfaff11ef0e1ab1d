from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.registry import database
from microveil.registry.registry import is_in_place
from tests.postgresql import binaries, running

KEY = b"0123456789abcdef0123456789abcdef"
ROLES = mv.Roles(quasi_identifiers=["a", "b"], sensitive=["s"])


def people() -> pl.DataFrame:
    return pl.DataFrame(
        {"id": range(50), "a": [i % 5 for i in range(50)], "b": [i // 25 for i in range(50)],
         "s": [i % 7 for i in range(50)]}
    )  # fmt: skip


def recipe(*columns: str, **more: object) -> mv.Recipe:
    return mv.Recipe.parse(
        {"roles": ROLES.to_dict(), "steps": [{"method": "drop", "columns": ["id", *columns]}],
         **more}
    )  # fmt: skip


@pytest.fixture
def registry(tmp_path: Path) -> mv.Registry:
    return mv.Registry(tmp_path / "releases.db", key=KEY, create=True)


def release(registry: mv.Registry, path: Path, *drop: str, **more: object) -> mv.Release:
    terms = mv.RegistryTerms(registry, "people", "id", "partner", "Ann")
    made = mv.run(recipe(*drop, **more), people(), registry=terms)
    made.write(path)
    return made


def test_a_release_is_noted_with_everything_but_data(registry: mv.Registry, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    release(registry, out, require=[{"model": "k_anonymity", "k": 5}])
    (entry,) = registry.releases()
    assert (entry.source, entry.kind, entry.audience, entry.made_by, entry.people_by) == (
        "people", "microdata", "partner", "Ann", "id",
    )  # fmt: skip
    assert "k_anonymity" in str(entry.recipe)
    assert entry.checks[0]["holds"]
    assert entry.n_people == entry.n_records == 50
    assert is_in_place(entry)
    assert registry.audit().holds


def test_the_requirement_on_all_releases_refuses_the_second(
    registry: mv.Registry, tmp_path: Path
) -> None:
    frame = pl.DataFrame({"id": range(25), "a": [i // 5 for i in range(25)],
                          "b": [i % 5 for i in range(25)]})  # fmt: skip
    for place, dropped in enumerate(("a", "b")):
        require = [{"model": "k_anonymity", "k": 5}, {"across_releases": {"k": 5}}]
        kept = "b" if dropped == "a" else "a"
        plan = mv.Recipe.parse(
            {"roles": {"quasi_identifiers": [kept]}, "require": require,
             "steps": [{"method": "drop", "columns": ["id", dropped]}]}
        )  # fmt: skip
        terms = mv.RegistryTerms(registry, "source", "id")
        made = mv.run(plan, frame.sample(fraction=1, shuffle=True, seed=place), registry=terms)
        if place == 0:
            made.write(tmp_path / "first.csv")
            continue
        assert not made.holds
        with pytest.raises(mv.RequirementNotMetError, match="25 are alone"):
            made.write(tmp_path / "second.csv")
    assert not (tmp_path / "second.csv").exists()
    assert len(registry.releases()) == 1


def test_without_a_registry_the_requirement_is_refused() -> None:
    plan = recipe(require=[{"model": "across_releases", "k": 5}])
    with pytest.raises(mv.InputError, match="--registry"):
        mv.run(plan, people())


def test_export_import_and_another_key(registry: mv.Registry, tmp_path: Path) -> None:
    release(registry, tmp_path / "one.csv")
    release(registry, tmp_path / "two.csv", "a")
    registry.export(tmp_path / "export.json")
    copy = mv.Registry(tmp_path / "copy.db", key=KEY, create=True)
    assert copy.import_from(tmp_path / "export.json") == 2
    assert [one.id for one in copy.releases()] == [one.id for one in registry.releases()]
    assert copy.audit().holds
    assert copy.import_from(tmp_path / "export.json") == 0
    with pytest.raises(mv.MicroveilError, match="not that of the registry"):
        _ = mv.Registry(tmp_path / "copy.db", key=KEY[::-1]).hashes
    plain = json.loads((tmp_path / "export.json").read_text())
    plain["entries"][0]["body"] = plain["entries"][0]["body"].replace("partner", "anybody")
    (tmp_path / "bad.json").write_text(json.dumps(plain))
    with pytest.raises(mv.FileError, match="not whole"):
        mv.Registry(tmp_path / "third.db", key=KEY, create=True).import_from(tmp_path / "bad.json")


def test_a_changed_entry_and_changed_signatures_are_found(
    registry: mv.Registry, tmp_path: Path
) -> None:
    release(registry, tmp_path / "one.csv")
    with sqlite3.connect(tmp_path / "releases.db") as raw:
        raw.execute("UPDATE registry_entries SET body = replace(body, 'partner', 'x')")
    assert "does not follow" in registry.audit().problems[0]
    with sqlite3.connect(tmp_path / "releases.db") as raw:
        raw.execute("UPDATE registry_signatures SET body = x'00'")
    assert any("signatures" in one for one in registry.audit().problems)


def test_locked_damaged_newer_and_missing_registries_say_so(
    registry: mv.Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "releases.db"
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
    holder = sqlite3.connect(place)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(mv.FileError, match="locked by another program"):
        release(registry, tmp_path / "one.csv")
    assert not (tmp_path / "one.csv").exists()
    holder.rollback()
    holder.execute("UPDATE registry_facts SET value = '99' WHERE name = 'version'")
    holder.commit()
    holder.close()
    with pytest.raises(mv.FileError, match="newer version"):
        mv.Registry(place, key=KEY)
    place.write_bytes(b"not a database at all" * 500)
    with pytest.raises(mv.FileError, match="damaged"):
        mv.Registry(place, key=KEY)
    with pytest.raises(mv.FileError, match="no registry at"):
        mv.Registry(tmp_path / "none.db")


def test_a_hundred_registrations_at_once_lose_nothing(registry: mv.Registry) -> None:
    def add(number: int) -> None:
        one = mv.Registry(registry.database.path or "", key=KEY)
        one.add(mv.ReleaseEntry("", "", "microdata", f"source {number}"))

    with ThreadPoolExecutor(20) as pool:
        list(pool.map(add, range(100)))
    assert {one.source for one in registry.releases()} == {f"source {i}" for i in range(100)}
    assert registry.audit().holds


RUN = """
import sys, microveil as mv
sys.path.insert(0, {root!r})
from tests.registry.test_registry import KEY, release
release(mv.Registry({place!r}, key=KEY), __import__("pathlib").Path({out!r}))
"""


@pytest.mark.slow
@pytest.mark.usefixtures("registry")
def test_killed_a_hundred_times_a_release_is_registered_and_written_or_neither(
    tmp_path: Path,
) -> None:
    root, place = str(Path(__file__).parents[2]), str(tmp_path / "releases.db")
    kept = 0
    for number in range(100):
        out = tmp_path / f"{number}.csv"
        code = RUN.format(root=root, place=place, out=str(out)).replace(
            "release(mv", _killing(number) + "\nrelease(mv", 1
        )
        subprocess.run([sys.executable, "-c", code], check=False, cwd=root)  # noqa: S603
        names = {one.outputs[0].name for one in mv.Registry(place, key=KEY).releases()}
        assert (out.name in names) == out.exists(), number
        kept += out.exists()
    assert 0 < kept < 100
    assert mv.Registry(place, key=KEY).audit().holds


def _killing(number: int) -> str:
    """A kill −9 at one of the moments of placing, by turns."""
    moments = ["begin", "finish", "put"]
    at = moments[number % 3]
    after = "True" if number % 2 else "False"
    target = {
        "begin": "registering.RegistryWitness.begin",
        "finish": "registering.RegistryWitness.finish",
        "put": "placing._put",
    }[at]
    return f"""
import os, signal
from microveil.files import placing
from microveil.registry import registering
old = {target}
def killing(*given):
    if {after}: old(*given)
    os.kill(os.getpid(), signal.SIGKILL)
{target} = killing
"""


@pytest.mark.skipif(binaries() is None, reason="PostgreSQL is not installed")
def test_postgresql_keeps_a_registry_too(tmp_path: Path) -> None:
    programs = binaries()
    assert programs is not None
    with running(programs) as url:
        registry = mv.Registry(url, key=KEY, create=True)
        release(registry, tmp_path / "one.csv")
        made = release(registry, tmp_path / "two.csv")
        assert made.registration is not None
        assert len(registry.releases()) == 2
        assert registry.audit().holds
        assert "not-a-real-secret" not in registry.database.shown


def test_reading_needs_no_key(registry: mv.Registry, tmp_path: Path) -> None:
    release(registry, tmp_path / "one.csv")
    assert "MICROVEIL_REGISTRY_KEY" not in os.environ
    assert len(mv.Registry(tmp_path / "releases.db").releases()) == 1
