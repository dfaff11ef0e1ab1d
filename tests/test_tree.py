"""The tree of tests mirrors the tree of the package, where it is promised."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import microveil
from microveil import plots
from microveil.cli.commands import COMMANDS
from microveil.dp.queries import QUERIES
from microveil.methods import METHODS
from microveil.privacy import MODELS
from microveil.risk import RISK_MEASURES
from microveil.search.lattice.lattice_search import STRATEGIES
from microveil.specs import Registry
from microveil.synthesis.parts.registry import GENERATORS
from microveil.utility import UTILITY_MEASURES

_PARTICIPLE = re.compile(
    "[a-z]+[^e]ed|told|said|kept|held|taken|given|drawn|left|made|found|shown|written|built|met|"
    "lost|known|seen|laid|chosen|gone|done|paid|hidden|stood|sought|broken|sent|spent|meant"
)

SOURCE = Path(microveil.__file__).parent
TESTS = Path(__file__).parent

REGISTRIES: dict[str, Registry[Any]] = {
    "methods": METHODS,
    "privacy models": MODELS,
    "risk measures": RISK_MEASURES,
    "utility measures": UTILITY_MEASURES,
    "generators": GENERATORS,
    "queries": QUERIES,
}
MIRRORED = sorted(one.parent.name for one in SOURCE.glob("*/__init__.py"))
"""Rooms every module of which has a test of its name beside it: all of them."""
WITHOUT = {
    "files/options.py": "names of options and their types, nothing that runs",
    "reports/figure.py": "a record of three texts",
    "synthesis/parts/dichotomies.py": "the model of 'boosted', tested as that generator",
    "synthesis/parts/model.py": "what a synthesizer does, tested as that",
    "synthesis/private/adaptive.py": "the rounds of 'aim', tested as that generator",
}
"""Modules without a test of their name, each with the reason."""
TOGETHER = {
    "app/advising/families/test_private.py",
    "app/advising/test_against_brute_force.py",
    "app/advising/test_proofs.py",
    "app/advising/test_same_answer.py",
    "app/file_runs/test_folders.py",
    "app/file_runs/test_limits.py",
    "app/test_beyond_measure.py",
    "app/test_every_door.py",
    "app/test_measuring_alike.py",
    "app/test_mistakes.py",
    "cli/test_bad_input.py",
    "cli/test_discharges.py",
    "cli/test_ending.py",
    "cli/test_limits.py",
    "cli/test_pipelines.py",
    "cli/test_protect_any_table.py",
    "files/databases/test_two_writers.py",
    "files/test_faults.py",
    "files/test_round_trips.py",
    "labels/test_one_grammar.py",
    "planning/test_parts_equal_whole.py",
    "privacy/test_known_and_sought.py",
    "privacy/test_monotone.py",
    "privacy/test_populations.py",
    "release/deriving/test_recounted.py",
    "release/test_guarantees.py",
    "reports/test_browser.py",
    "reports/test_spanish.py",
    "reports/test_written_file.py",
    "risk/attacks/test_row_order.py",
    "risk/linkage/test_other_distances.py",
    "service/api/test_description.py",
    "service/api/test_hostile.py",
    "service/ledger/test_model.py",
    "service/test_concurrency.py",
    "service/test_crashes.py",
    "spark/test_cluster.py",
    "spark/test_counted_tables.py",
    "spark/test_limits.py",
    "spark/test_surfaces.py",
    "studies/test_studies.py",
    "synthesis/evaluation/test_evaluation.py",
    "synthesis/test_privacy_audit.py",
    "synthesis/test_properties.py",
    "synthesis/test_refusals.py",
    "tabulation/rules/test_published_rows.py",
    "tabulation/test_threads.py",
    "web/browser/test_soak.py",
}
"""Tests of what several modules of a room promise together, under a name of their own."""


def has_namesake(module: Path) -> bool:
    """Whether a module, by its place in the package, has a test of its name beside it."""
    beside = TESTS / module.parent
    own = beside / f"test_{module.name}"
    # A step that is a package is tested under the name of the package.
    step = beside / f"test_{module.parent.name}.py"
    return own.exists() or (module.name == "step.py" and step.exists())


def has_module(test: Path) -> bool:
    """Whether the module that a test, by its place among the tests, is named after exists."""
    if test.parent == Path("web/browser"):  # what a person does there goes through all pages
        return True
    beside, name = SOURCE / test.parent, test.stem.removeprefix("test_")
    step = name == test.parent.name and (beside / "step.py").exists()
    return step or (beside / f"{name}.py").exists() or (beside / name).is_dir()


def untested(things: list[Any]) -> list[str]:
    found = {Path(inspect.getfile(thing)).relative_to(SOURCE) for thing in things}
    return sorted(str(module) for module in found if not has_namesake(module))


@pytest.mark.parametrize("kind", REGISTRIES)
def test_everything_registered_has_a_test_of_its_name(kind: str) -> None:
    assert untested(list(REGISTRIES[kind].classes.values())) == []


def test_every_command_strategy_and_figure_has_a_test_of_its_name() -> None:
    commands = [one for one in COMMANDS.values() if inspect.isfunction(one)]
    figures = [getattr(plots, name) for name in plots.__all__ if name.endswith("_chart")]
    assert len(commands) > 15
    assert len(figures) > 5
    assert untested([inspect.unwrap(one) for one in commands]) == []
    assert untested([*STRATEGIES.values(), *figures]) == []


@pytest.mark.parametrize("room", MIRRORED)
def test_every_module_of_a_room_has_a_test_of_its_name_beside_it(room: str) -> None:
    modules = [one for one in (SOURCE / room).rglob("*.py") if one.name != "__init__.py"]
    places = sorted(one.relative_to(SOURCE) for one in modules)
    lacking = [str(place) for place in places if not has_namesake(place)]
    assert lacking == [place for place in WITHOUT if place.split("/")[0] == room]


def test_every_module_outside_the_rooms_has_a_test_of_its_name() -> None:
    modules = [one.relative_to(SOURCE) for one in SOURCE.glob("*.py") if one.name[0] != "_"]
    assert len(modules) > 5
    assert [str(one) for one in modules if not has_namesake(one)] == []


@pytest.mark.parametrize("room", MIRRORED)
def test_no_test_is_left_behind_when_its_module_moves(room: str) -> None:
    places = sorted(one.relative_to(TESTS) for one in (TESTS / room).rglob("test_*.py"))
    assert [str(one) for one in places if not has_module(one) and str(one) not in TOGETHER] == []


def test_functions_are_named_by_verbs_or_by_what_they_return() -> None:
    """A bare participle (`_counted`) says neither who counts nor what comes back."""
    named = [
        f"{module.relative_to(SOURCE)}: {node.name}"
        for module in sorted(SOURCE.rglob("*.py"))
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and not node.decorator_list
        and _PARTICIPLE.fullmatch(node.name.strip("_"))
    ]
    assert named == []
