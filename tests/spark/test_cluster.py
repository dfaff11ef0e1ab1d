"""A real master with two workers on loopback, one of which is killed while it works.

Tasks are speculated on: slow ones run twice, and only one of each pair may be seen in the result.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from microveil.errors import InputError
from microveil.spark.session import check_installed, check_java
from tests.planning.test_parts_equal_whole import people

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

PROGRAM = """
import sys, time
import microveil as mv
from microveil.spark import run_on_spark, spark_session
master, source, out, mark = sys.argv[1:]
session = spark_session(master, **{
    "spark.executor.memory": "512m", "spark.cores.max": "2", "spark.executor.cores": "1",
    "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
    "spark.task.maxFailures": "8", "spark.speculation": "true",
    "spark.speculation.quantile": "0.1", "spark.speculation.multiplier": "1.01",
    "spark.speculation.interval": "20ms", "spark.speculation.minTaskRuntime": "1ms",
})
recipe = mv.Recipe.parse({
    "roles": {"quasi_identifiers": ["age", "sex", "town"], "insensitive": ["ill", "name", "pay"]},
    "steps": [
        {"method": "pram", "columns": ["town"], "retention": 0.8},
        {"method": "suppress_records", "k": 3},
    ],
    "require": [{"model": "k_anonymity", "k": 3}],
})
frame = session.read.parquet(source).select("name", "age", "sex", "town", "ill", "pay")
release = run_on_spark(recipe, frame.repartition(24, "name"), seed=5)
open(mark, "w").close()
release.write(out)
session.stop()
"""


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def _java(name: str, *arguments: str, log: Path) -> subprocess.Popen[bytes]:
    import pyspark

    home = Path(pyspark.__file__).parent
    env = {**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}", *arguments]
    with log.open("wb") as sink:
        return subprocess.Popen(command, env=env, stdout=sink, stderr=sink, start_new_session=True)  # noqa: S603  Spark's own


def _wait(port: int) -> None:
    for _ in range(120):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.5)
    pytest.fail("The master did not start.")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    try:
        check_installed()
        check_java()
    except InputError as error:
        pytest.skip(str(error))
    port = _free_port()
    ui = ["--webui-port", str(_free_port())]
    master = _java(
        "master.Master", "--host", "127.0.0.1", "--port", str(port), *ui, log=tmp_path / "m.log"
    )
    workers: list[subprocess.Popen[bytes]] = []
    try:
        _wait(port)
        url = f"spark://127.0.0.1:{port}"
        for number in range(2):
            options = ["--cores", "1", "--memory", "1g", "--webui-port", str(_free_port())]
            folder = ["--work-dir", str(tmp_path / f"w{number}")]
            workers.append(
                _java(
                    "worker.Worker",
                    "--host",
                    "127.0.0.1",
                    *options,
                    *folder,
                    url,
                    log=tmp_path / f"w{number}.log",
                )
            )
        time.sleep(8)
        yield url, workers
    finally:
        for one in [*workers, master]:
            if one.poll() is None:
                os.killpg(one.pid, signal.SIGKILL)
            one.wait(timeout=30)


def _driver(master: str, source: Path, out: Path, mark: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", PROGRAM, master, str(source), str(out), str(mark)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)  # noqa: S603  ourselves


def test_a_killed_worker_costs_time_and_no_row(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    master, workers = cluster
    source = tmp_path / "people.parquet"
    people(20_000).write_parquet(source)
    found: list[Any] = []
    for name, kill in (("calm", False), ("hurt", True)):
        out, mark = tmp_path / name, tmp_path / f"{name}.mark"
        driver = _driver(master, source, out, mark)
        while kill and not mark.exists() and driver.poll() is None:
            time.sleep(0.2)
        if kill:
            os.killpg(workers[0].pid, signal.SIGKILL)
        _, told = driver.communicate(timeout=400)
        assert driver.returncode == 0, told.decode()[-2000:]
        found.append(pl.read_parquet(out / "*.parquet").sort("name"))
    assert found[0]["name"].n_unique() == found[0].height
    # The same seed and partitions: no row twice, none missing, and every draw the same.
    assert found[0].equals(found[1])
