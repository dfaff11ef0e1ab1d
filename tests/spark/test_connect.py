"""A Spark Connect session: frames without a Java machine behind them, in a process of their own."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from typing import Any

import pytest

from microveil.errors import InputError
from microveil.spark import connect
from microveil.spark.session import check_installed, check_java, check_master, spark_session

PROGRAM = """
import json, sys
from pathlib import Path
import numpy as np, polars as pl
from pyspark.sql import SparkSession
import microveil as mv
from microveil.spark.connect import runs_here
spark = (SparkSession.builder.remote("local[1]").config("spark.sql.shuffle.partitions", "2")
         .config("spark.sql.session.timeZone", "UTC").getOrCreate())
rng = np.random.default_rng(1)
local = pl.DataFrame({"a": rng.integers(0, 12, 600), "b": rng.choice(["x", "y"], 600),
                      "v": rng.normal(size=600).round(3), "s": rng.choice(["p", "q"], 600)})
frame = spark.createDataFrame(local.to_arrow())
roles = mv.Roles(quasi_identifiers=["a", "b"], sensitive=["s"], insensitive=["v"])
found = {"here": runs_here(spark), "k": [mv.assess(frame, roles).k, mv.assess(local, roles).k]}
steps = {
    "records": [mv.Round(columns=["v"], base=1.0), mv.SuppressRecords(k=30)],
    "cells": [mv.LocalSuppression(k=28)],
    "boxes": [mv.Mondrian(k=5)],
    "whole": [mv.RankSwap(columns=["v"], range_share=0.1)],
}
for name, some in steps.items():
    recipe = mv.Recipe(roles=roles, steps=some, require=[mv.KAnonymity(k=2)])
    there, here = mv.run(recipe, frame, seed=1), mv.run(recipe, local, seed=1)
    found[name] = [one.sort(one.columns).write_csv()
                   for one in (pl.from_arrow(there.data.toArrow()), here.data)]
out = Path(sys.argv[1]) / "released"
mv.run(recipe, frame, seed=1).write(out)
found["written"] = pl.read_parquet(out / "*.parquet").height
print("FOUND", json.dumps(found))
spark.stop()
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    pytest.importorskip("grpc", reason="Spark Connect's client is not installed")
    pytest.importorskip("grpc_status", reason="Spark Connect's client is not installed")
    try:
        check_installed()
        check_java()
    except InputError as error:
        pytest.skip(error.message)
    words = [sys.executable, "-W", "ignore", "-c", PROGRAM, str(tmp_path_factory.mktemp("connect"))]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)  # noqa: S603
    told = [line for line in done.stdout.splitlines() if "FOUND" in line]
    assert told, done.stderr[-3000:]
    return dict(json.loads(told[-1].split("FOUND", 1)[1]))


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("recipe", ["records", "cells", "boxes"])
def test_recipes_give_the_rows_of_one_machine(found: dict[str, Any], recipe: str) -> None:
    there, here = found[recipe]
    assert there == here


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_steps_on_the_driver_classes_and_files_work(found: dict[str, Any]) -> None:
    there, here = found["whole"]
    assert there.count("\n") == here.count("\n")
    assert found["k"][0] == found["k"][1]
    assert found["written"] == 600
    assert not found["here"]


def test_an_address_of_a_server_is_asked_whether_it_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def refuse(address: tuple[str, int], timeout: float) -> None:  # noqa: ARG001  as the socket's
        asked.append(address)
        raise OSError

    monkeypatch.setattr(socket, "create_connection", refuse)
    for address in ("sc://host", "sc://host:15009/;token=x", "spark://host:7077"):
        with pytest.raises(InputError, match="does not answer") as told:
            check_master(address)
        assert "token" not in told.value.message
    assert asked == [("host", 15002), ("host", 15009), ("host", 7077)]


def test_it_is_said_which_client_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"pyspark\[connect\]"):
        spark_session("sc://host")
