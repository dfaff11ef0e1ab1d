from __future__ import annotations

import subprocess
import sys

import polars as pl
import pytest

import microveil as mv

SHUFFLES = mv.Recipe(
    steps=[mv.Permute(columns=["age"]), mv.Permute(columns=["zip"])], undeclared="keep"
)


def test_the_same_seed_gives_the_same_release(patients: pl.DataFrame) -> None:
    first, second = mv.run(SHUFFLES, patients, seed=7), mv.run(SHUFFLES, patients, seed=7)
    assert first.data.equals(second.data)
    others = [mv.run(SHUFFLES, patients, seed=seed).data for seed in range(8, 12)]
    assert not all(first.data.equals(other) for other in others)


def test_a_negative_seed_is_refused(patients: pl.DataFrame) -> None:
    with pytest.raises(mv.InputError, match="seed"):
        mv.run(mv.Recipe(), patients, seed=-1)


def test_an_error_in_a_step_says_which_step(patients: pl.DataFrame) -> None:
    steps = mv.Recipe(steps=[mv.Drop(columns=["age"]), mv.Drop(columns=["agee"])])
    with pytest.raises(mv.ColumnError, match=r"^steps\.1\.drop: No column 'agee'"):
        mv.run(steps, patients)


def test_a_seed_stands_nowhere_in_a_release(patients: pl.DataFrame) -> None:
    seed = 918273645546372819
    release = mv.run(mv.Recipe(steps=[mv.Permute(columns=["age"])]), patients, seed=seed)
    assert str(seed) not in repr(release) + release.recipe.to_yaml() + repr(vars(release))


def test_requirements_without_keys_are_refused_and_columns_must_be_there() -> None:
    with pytest.raises(mv.InputError, match="names no quasi-identifiers"):
        mv.run(mv.Recipe(require=[mv.KAnonymity(k=2)]), {"a": [1]})
    with pytest.raises(mv.ColumnError, match=r"roles: No column 'agee'"):
        mv.run(mv.Recipe(roles=mv.Roles(quasi_identifiers=["agee"])), {"age": [1]})
    with pytest.raises(mv.ColumnError, match=r"keep: No column 'b'"):
        mv.run(mv.Recipe(keep=["b"]), {"a": [1]})


def test_progress_tells_every_step_and_the_checks() -> None:
    told: list[str] = []
    mv.run(SHUFFLES, {"age": [1, 2], "zip": [3, 4]}, progress=lambda _, __, what: told.append(what))
    assert "checks" in told
    assert told[-1] == "done"


ROOM_CHANGES = """
import sys
from pathlib import Path
import microveil as mv

root = str(Path(mv.__file__).parent) + "/"
unnamed = {"<module>", "<lambda>", "<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>"}
frame, recipe = mv.read("examples/patients.csv"), mv.Recipe.read("examples/patients.yaml")
rooms = []

def note(called, event, _):
    code = called.f_code
    if event == "call" and code.co_filename.startswith(root) and code.co_name not in unnamed:
        room = code.co_filename.removeprefix(root).split("/")[0]
        if rooms[-1:] != [room]:
            rooms.append(room)

def changes():
    rooms.clear()
    sys.setprofile(note)
    mv.run(recipe, frame, seed=1)
    sys.setprofile(None)
    return len(rooms)

changes()  # loads what is loaded once
print(changes(), "microveil.app.inspection" in sys.modules)
"""


def test_a_run_changes_rooms_seldom_and_loads_no_other_use_case() -> None:
    done = subprocess.run(  # noqa: S603  our own program
        [sys.executable, "-c", ROOM_CHANGES], capture_output=True, text=True, check=True
    )
    n_changes, inspects = done.stdout.split()
    assert int(n_changes) <= 500
    assert inspects == "False"
