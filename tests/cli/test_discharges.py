"""A discharge file as hospitals have it, walked from inspection to release."""

from __future__ import annotations

import json
import random
from datetime import date, timedelta
from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from tests.cli.conftest import Cli


@pytest.fixture
def stays(tmp_path: Path) -> Path:
    """Several stays per patient, semicolons, Latin-1, decimal commas, dd/mm/yyyy, some dirt."""
    chance = random.Random(3)
    rows = ["paciente;nacimiento;sexo;municipio;ingreso;coste;altura"]
    for patient in range(200):
        birth = date(1930, 1, 1) + timedelta(chance.randrange(30_000))
        sex, place = chance.choice(["Mujer", "Hombre"]), chance.choice(["Móstoles", "Leganés"])
        for _ in range(chance.choice([1, 2, 3])):
            came = date(2021, 1, 1) + timedelta(chance.randrange(700))
            dirty = patient == 7
            born = "s/d" if dirty else birth.strftime("%d/%m/%Y")
            tall = 9999 if patient % 50 == 0 else 150 + patient % 40
            cost = f"{chance.randrange(300, 9000)},{chance.randrange(100):02d}"
            rows.append(f"H{patient:05d};{born};{sex};{place};{came:%d/%m/%Y};{cost};{tall}")
    path = tmp_path / "altas.csv"
    path.write_text("\n".join(rows) + "\n", encoding="latin-1")
    return path


def test_a_discharge_file_goes_from_inspection_to_a_release(
    cli: Cli, stays: Path, tmp_path: Path
) -> None:
    seen = json.loads(cli("inspect", stays, "--json").out)
    assert seen["reading"]["ingreso"] == "%d/%m/%Y"
    assert seen["reading"]["nacimiento"]["unreadable"] == "missing"
    assert seen["roles"]["entity"] == "paciente"
    told = cli("inspect", stays).out
    assert "dd/mm/yyyy" in told
    assert "a/a" in told
    assert "s/d" not in told

    plan, out = tmp_path / "plan.yaml", tmp_path / "first.csv"
    keys = ("-q", "nacimiento,sexo,municipio")
    made = cli("protect", stays, "-k", "3", *keys, "--out", out, "--recipe", plan)
    assert made.code == 0, made.err
    births = pl.read_csv(out)["nacimiento"].drop_nulls()
    assert births.n_unique() > 1

    again = tmp_path / "again.csv"
    ran = cli("run", plan, stays, "--out", again)
    assert ran.code == 0, ran.err
    names = pl.read_csv(out).columns
    assert pl.read_csv(again).sort(names).equals(pl.read_csv(out).sort(names))
    assert cli("check", plan, stays).code == 0


def test_columns_are_read_as_the_command_says(cli: Cli, stays: Path, tmp_path: Path) -> None:
    refused = cli("inspect", stays, "--read", "nacimiento=%d/%m/%Y")
    assert refused.code == 2
    assert "(a/a:" in refused.err.replace("\n", " ")
    heights = "altura={type: number, missing: [9999]}"
    plan, out = tmp_path / "plan.yaml", tmp_path / "out.csv"
    options = ("--read", heights, "--read", "ingreso=text", "--separator", ";")
    made = cli(
        "protect", stays, "-k", "3", "-q", "sexo,altura", "-o", out, "--recipe", plan, *options
    )
    assert made.code == 0, made.err
    said = mv.Recipe.read(plan).reading.to_dict()
    assert said["file"] == {"separator": ";"}
    assert said["altura"] == {"type": "number", "missing": [9999]}
    wrong = cli("inspect", stays, "--read", "altura")
    assert wrong.code == 2
    assert "--read names a column" in wrong.err
