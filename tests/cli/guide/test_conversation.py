"""The guide: what S4's program asked, and more; driven through a real pseudo-terminal."""

from __future__ import annotations

import os
import pty
import select
import sys
import time
from pathlib import Path

import polars as pl

import microveil as mv


def converse(folder: Path, answers: dict[str, str], limit: float = 60, language: str = "en") -> str:
    """Answer each question as it appears; what was on the screen comes back."""
    process, screen = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.environ.update(COLUMNS="160", TERM="dumb", LC_ALL="C.UTF-8", LANGUAGE=language)
        os.execv(sys.executable, [sys.executable, "-m", "microveil"])  # noqa: S606  our own program
    shown, answered, end = "", 0, time.monotonic() + limit
    waiting = list(answers.items())
    while time.monotonic() < end:
        if select.select([screen], [], [], 0.2)[0]:
            try:
                shown += os.read(screen, 65536).decode(errors="replace")
            except OSError:  # the program has left
                break
        if waiting and waiting[0][0] in shown[answered:]:
            answered = len(shown)
            os.write(screen, f"{waiting.pop(0)[1]}\n".encode())
    os.close(screen)  # a program that still waits for an answer leaves at the end of its input
    os.waitpid(process, 0)
    assert not waiting, shown
    return shown


def test_the_guide_measures_k_for_the_chosen_quasi_identifiers(
    tmp_path: Path, patients: pl.DataFrame
) -> None:
    patients.write_csv(tmp_path / "patients.csv")
    shown = converse(
        tmp_path,
        {
            "What would you like to do?": "1",
            "Which file?": "nothing.csv",
            "No file nothing.csv": "patients.csv",
            "Numbers or names": "2,sexx",
            "No column 'sexx'. Did you mean 'sex'?": "2,sex",
        },
    )
    assert "Disclosure risk by age, sex" in shown
    assert "Unique rows" in shown
    assert "microveil risk patients.csv -q age,sex" in shown


def test_the_guide_protects_a_file(tmp_path: Path) -> None:
    from microveil.studies import ad_views

    ad_views(2_000).write_csv(tmp_path / "views.csv")
    shown = converse(
        tmp_path,
        {
            "What would you like to do?": "2",
            "Which file?": "views.csv",
            "Recipe file": "",
            "Use these roles?": "n",
            "Identifiers?": "user,ip_address",
            "Quasi-identifiers?": "platform,date",
            "Sensitive columns?": "product",
            "(no: they are dropped)": "n",
            "Smallest class size k": "5",
            "[drop]?": "y",
            "[group_rare]?": "y",
            "[generalize]?": "y",
            "[local_suppression]?": "y",
            "Where should the protected file go?": "nowhere",
            "follows from the suffix": "released.csv",
        },
    )
    released = mv.read(tmp_path / "released.csv")
    assert set(released.columns) == {"platform", "date", "product"}
    assert released.group_by("platform", "date").len()["len"].gt(4).all()
    assert mv.Recipe.read(tmp_path / "released.recipe.yaml").require == (mv.KAnonymity(k=5),)
    assert "5-anonymity holds" in shown


def test_the_guide_asks_for_keys_where_none_is_found_and_tells_what_the_report_knows(
    tmp_path: Path,
) -> None:
    rows = {"x1": [i / 7 for i in range(60)], "x2": [i % 5 + 0.5 for i in range(60)]}
    pl.DataFrame(rows).write_csv(tmp_path / "numbers.csv")
    shown = converse(
        tmp_path,
        {
            "What would you like to do?": "2",
            "Which file?": "numbers.csv",
            "Recipe file": "",
            "Use these roles?": "y",
            "may an intruder know": "x2",
            "Smallest class size k": "5",
            "[microaggregate]?": "n",
            "[local_suppression]?": "y",
            "Where should the protected file go?": "released.csv",
        },
    )
    assert "5-anonymity holds" in shown
    assert "! Column 'x1' holds exact values" in " ".join(shown.split())
    assert mv.read(tmp_path / "released.csv").height == 60


def test_the_guide_looks_at_a_file(tmp_path: Path, patients: pl.DataFrame) -> None:
    patients.write_csv(tmp_path / "patients.csv")
    shown = converse(tmp_path, {"What would you like to do?": "3", "Which file?": "patients.csv"})
    assert "suggested role" in shown
    assert "microveil inspect patients.csv" in shown


def test_the_guide_speaks_russian_and_quotes_its_last_line(tmp_path: Path) -> None:
    import shlex
    import subprocess

    frame = pl.DataFrame({"Дата показа": ["зима", "зима", "лето"], "Площадка": ["а", "а", "б"]})
    frame.write_csv(tmp_path / "показы рекламы.csv")
    shown = converse(
        tmp_path,
        {
            "Что вы хотите сделать?": "1",
            "Какой файл?": "показы рекламы.csv",
            "Номера или названия": "1,Площадка",
        },
        language="ru",
    )
    assert "Плохие значения K" in shown
    assert "Уникальные строки" in shown
    line = shown.replace("\r", "").strip().splitlines()[-1]
    words = shlex.split(line)
    assert words == ["microveil", "risk", "показы рекламы.csv", "-q", "Дата показа,Площадка"]
    again = subprocess.run(  # noqa: S603  our own program
        [sys.executable, "-m", *words, "--json"], cwd=tmp_path, capture_output=True, check=True
    )
    assert b'"n_records": 3' in again.stdout
