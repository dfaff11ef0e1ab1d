from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from microveil.app.exploration import use_case
from microveil.app.running import run
from microveil.cli.explore import short_heads
from tests.cli.conftest import Cli

FILES = {"points.csv", "points.json", "map.svg", "map.png", "map.html", "finished"}
GRID = ("--grid", "steps.1.level=0,1", "--grid", "steps.3.k + require.0.k=2,3")


def test_a_grid_becomes_a_table_and_a_map(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "map"
    result = cli("explore", recipe, data, *GRID, "--out", out)

    assert result.code == 0, result.err
    assert {path.name for path in out.iterdir()} == FILES
    rows = list(csv.DictReader((out / "points.csv").read_text("utf-8").splitlines()))
    assert [row["steps.1.level"] for row in rows] == ["0", "0", "1", "1"]
    assert (out / "map.png").read_bytes().startswith(b"\x89PNG")
    assert "★ Nearest to the ideal corner: point" in result.out
    assert "4 points" in result.out


def test_json_is_one_object_and_names_the_best_point(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path
) -> None:
    options = ("--out", tmp_path / "map", "--json", "--risk", "class_sizes.average_risk")
    result = cli("explore", recipe, data, *GRID, *options, "--max-risk", "0.5")

    plain = json.loads(result.out)
    assert result.err == ""
    assert plain["risk"] == ["class_sizes.average_risk"]
    best = plain["points"][plain["best"]]
    assert best["readings"]["class_sizes.average_risk"]["value"] <= 0.5
    assert plain["best"] in plain["pareto"]
    assert plain["sentence"].startswith("Best under max risk 0.5: point")


def test_a_limit_out_of_reach_is_told(cli: Cli, recipe: Path, data: Path, tmp_path: Path) -> None:
    options = ("--out", tmp_path / "map", "--risk", "class_sizes", "--max-risk", "0.01", "--json")
    plain = json.loads(cli("explore", recipe, data, *GRID, *options).out)

    assert plain["best"] is None
    assert "No point meets the limits" in plain["sentence"]


def test_the_same_command_goes_on_where_it_was_left(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "map"
    done: list[object] = []

    def counted(*given: Any, **more: Any) -> Any:
        done.append(given)
        return run(*given, **more)

    first = cli("explore", recipe, data, *GRID, "--out", out, "--json")
    monkeypatch.setattr(use_case, "run", counted)
    again = cli("explore", recipe, data, *GRID, "--out", out, "--json")

    assert json.loads(first.out)["points"] == json.loads(again.out)["points"]
    assert len(done) == 0
    cli("explore", recipe, data, *GRID, "--out", out, "--afresh")
    assert len(done) == 4


def test_an_interruption_says_what_is_kept(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[object] = []

    def interrupted(*given: Any, **more: Any) -> Any:
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(given)
        return run(*given, **more)

    monkeypatch.setattr(use_case, "run", interrupted)
    result = cli("explore", recipe, data, *GRID, "--out", tmp_path / "map", "--workers", "1")

    assert result.code == 130
    assert "2 finished points are kept" in result.err
    assert "Traceback" not in result.err


def test_alternatives_stand_on_the_same_map(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.yaml"
    shutil.copy(recipe, other)
    grids = ("--grid", "steps.3.k=2,3", "--grid", "other:steps.3.k=2")
    options = ("--alternative", other, "--out", tmp_path / "map", "--json")
    plain = json.loads(cli("explore", recipe, data, *grids, *options).out)

    assert [point["recipe"] for point in plain["points"]] == ["recipe", "recipe", "other"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--grid", "steps.3.k"), "looks like steps.1.k=3,5,10"),
        (("--grid", "steps.3.k="), "looks like steps.1.k=3,5,10"),
        (("--grid", "steps.3.k=[3"), "cannot be read"),
        (("--grid", "steps.7.k=3"), "nothing at 'steps.7.k'"),
        (("--grid", "other:steps.3.k=3"), "No recipe is called 'other'"),
        (("--risk", "class_size"), "Did you mean 'class_sizes'"),
        (("--min-utility", "0.5"), "limit it by max_loss"),
        (("--workers", "0"), "one or larger"),
    ],
)
def test_a_mistake_is_one_clear_sentence(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    result = cli("explore", recipe, data, "--out", tmp_path / "map", *arguments)

    assert result.code == 2
    assert message in result.err
    assert not (tmp_path / "map" / "points.csv").exists()


def test_on_a_narrow_terminal_paths_are_shortened_and_points_stay_rows(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    measures = ("--risk", "class_sizes", "--utility", "cell_changes")
    result = cli("explore", recipe, data, *GRID, *measures, "--out", tmp_path / "map")
    assert "k is steps.3.k" in result.out
    assert sum("yes" in line for line in result.out.splitlines()) > 1


def test_paths_that_end_alike_keep_their_length() -> None:
    alike = ["steps.0.k", "steps.1.k", "steps.2.share", "share"]
    assert short_heads(alike) == {}
