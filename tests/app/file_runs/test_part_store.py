"""A run in parts that is stopped goes on where it stopped; without asking, it leaves nothing."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from microveil.app import run_file
from microveil.app.file_runs.tally import Done, Tally
from microveil.errors import InputError
from microveil.planning import files
from tests.planning.test_parts_equal_whole import people, recipe_of

RECIPE = recipe_of(
    [
        {"method": "pram", "columns": ["town"], "retention": 0.8},
        {"method": "group_rare", "columns": ["town"], "min_count": 30},
    ]
)


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PART", 100)


def stopped_at(number: int, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Ctrl-C while a part is protected; the parts that are protected are noted."""
    usual, seen = Tally.protect, list[int]()

    def protect(self: Tally, part: pl.DataFrame, at: int) -> Done:
        if at == number:
            raise KeyboardInterrupt
        seen.append(at)
        return usual(self, part, at)

    monkeypatch.setattr(Tally, "protect", protect)
    return seen


def test_a_stopped_run_goes_on_at_its_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, out = tmp_path / "people.parquet", tmp_path / "out.parquet"
    people().write_parquet(source)
    with monkeypatch.context() as patch:
        stopped_at(4, patch)
        with pytest.raises(KeyboardInterrupt):
            run_file(RECIPE, source, out, seed=9, keep_order=True, resume=True)
    assert not out.exists()
    store = tmp_path / ".out.parquet.resume"
    assert len(list(store.glob("*.parquet"))) == 4
    assert "9" not in json.loads((store / "run.json").read_text())
    (store / "2.parquet").write_bytes(b"broken")
    with monkeypatch.context() as patch:
        done = stopped_at(-1, patch)
        result = run_file(RECIPE, source, out, seed=9, keep_order=True, resume=True)
    # The part that was damaged is made again; the others that were finished are not.
    assert done == [2, 4, 5, 6]
    assert not store.exists()
    other = tmp_path / "other.parquet"
    straight = run_file(RECIPE, source, other, seed=9, keep_order=True, in_parts=True)
    assert pl.read_parquet(out).equals(pl.read_parquet(other))
    assert [f.to_dict() for f in result.facts] == [f.to_dict() for f in straight.facts]


def test_parts_of_another_run_are_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = tmp_path / "people.parquet", tmp_path / "out.parquet"
    people().write_parquet(source)
    with monkeypatch.context() as patch:
        stopped_at(3, patch)
        with pytest.raises(KeyboardInterrupt):
            run_file(RECIPE, source, out, seed=9, resume=True)
    done = stopped_at(-1, monkeypatch)
    run_file(RECIPE, source, out, seed=10, resume=True)
    assert done == list(range(7))


def test_without_resume_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, out = tmp_path / "people.parquet", tmp_path / "out.parquet"
    people().write_parquet(source)
    stopped_at(3, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        run_file(RECIPE, source, out, seed=9, in_parts=True)
    assert list(tmp_path.iterdir()) == [source]


def test_resuming_needs_a_seed(tmp_path: Path) -> None:
    source = tmp_path / "people.parquet"
    people(50).write_parquet(source)
    with pytest.raises(InputError, match="needs a seed"):
        run_file(RECIPE, source, tmp_path / "out.parquet", resume=True)
    assert list(tmp_path.iterdir()) == [source]
