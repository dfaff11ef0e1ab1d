"""Session: find or start Spark, or say clearly what is missing."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microveil.cores import n_threads
from microveil.errors import InputError
from microveil.spark.connect import CONNECT, PORT, check_client, connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LEAST_JAVA = 17
TRIES = 4
"""How often a task is tried before a run fails: a worker may be killed, for want of memory say."""
PATIENCE = 5.0
"""Seconds to wait for a master to answer."""


def spark_session(master: str | None = None, **settings: Any) -> SparkSession:
    """The active session, or a new one; on this machine unless a master is named."""
    check_installed()
    from pyspark.sql import SparkSession

    active, where = SparkSession.getActiveSession(), retrying(master or f"local[{n_threads()}]")
    if active is not None and (master is None or active.conf.get("spark.master", "") == where):
        return active
    if where.startswith(CONNECT):
        check_client()
        check_master(where)
        return connect(where)
    return _start(where, settings)


def retrying(master: str) -> str:
    """A master on this machine that tries a failed task again, as a cluster does.

    >>> retrying("local[2]"), retrying("local[2,1]"), retrying("spark://host:7077")
    ('local[2,4]', 'local[2,1]', 'spark://host:7077')
    """
    found = re.fullmatch(r"local\[(\d+|\*)\]", master)
    return f"local[{found[1]},{TRIES}]" if found else master


def _start(where: str, settings: Mapping[str, Any]) -> SparkSession:
    """Start Spark on this machine, or as the driver of a cluster."""
    from pyspark.sql import SparkSession

    check_java()
    check_master(where)
    builder: Any = SparkSession.builder
    builder = builder.master(where).appName("microveil")
    usual = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "16",
        # Compressed columns grow tenfold in memory; and small pieces keep all cores busy.
        "spark.sql.files.maxPartitionBytes": "16m",
        "spark.driver.memory": "2g",
        # What comes to the driver is limited by --memory-limit, before it is asked for.
        "spark.driver.maxResultSize": "0",
        # The default collector works beside the tasks, on their cores.
        "spark.driver.extraJavaOptions": "-XX:+UseParallelGC",
        # A task has one core: libraries that take them all would only wait for each other.
        "spark.executorEnv.MICROVEIL_THREADS": "1",
        "spark.executorEnv.POLARS_MAX_THREADS": "1",
        "spark.executorEnv.OMP_NUM_THREADS": "1",
        "spark.executorEnv.OPENBLAS_NUM_THREADS": "1",
    }
    if where.startswith("local"):  # nothing leaves this machine
        usual |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    # Workers need what this Python has; PySpark asks the environment for it.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    for name, value in {**usual, **settings}.items():
        builder = builder.config(name, value)
    session: SparkSession = builder.getOrCreate()
    # A failed task would print a Java trace, perhaps with cells in it; its error is raised too.
    session.sparkContext.setLogLevel("OFF")
    return session


def check_installed() -> None:
    """Raise an error if PySpark is not installed."""
    if find_spec("pyspark") is None:
        raise InputError(
            "The Spark engine needs PySpark: pip install 'microveil[spark]'. Or use --engine local."
        )


def check_java() -> None:
    """Raise an error if Java is missing or too old."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    advice = (
        f"Install Java {LEAST_JAVA} or newer (Debian, Ubuntu: apt install openjdk-17-jre-headless; "
        "macOS: brew install openjdk@17) and set JAVA_HOME. Or use --engine local."
    )
    if java is None or not Path(java).exists():
        raise InputError(f"The Spark engine needs Java, and none was found. {advice}")
    told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr  # noqa: S603  our own Java
    found = java_version(told)
    if found is None or found < LEAST_JAVA:
        which = "an unknown version" if found is None else f"version {found}"
        raise InputError(
            f"The Spark engine needs Java {LEAST_JAVA} or newer, and found {which}. {advice}"
        )


def java_version(told: str) -> int | None:
    """The major version in the output of ``java -version``.

    >>> java_version('openjdk version "17.0.15" 2025-04-15'), java_version('version "1.8.0_392"')
    (17, 8)
    """
    match = re.search(r'version "(?:1\.)?(\d+)', told)
    return int(match[1]) if match else None


def check_master(master: str) -> None:
    """Raise an error if a named master does not answer."""
    if master == "yarn" or master.startswith(("local", "k8s://")):
        return
    # What follows "/;" are a connection's parameters, a token perhaps.
    first = master.split(",", maxsplit=1)[0].split("/;", maxsplit=1)[0]
    match = re.fullmatch(r"spark://([^:/,]+):(\d+)|sc://([^:/;]+)(?::(\d+))?(?:/.*)?", first)
    if match is None:
        raise InputError(
            f"'{first}' is not a Spark master. Use local[4], spark://host:7077, sc://host:15002, "
            "yarn or k8s://host."
        )
    host, port = match[1] or match[3], int(match[2] or match[4] or PORT)
    try:
        socket.create_connection((host, port), timeout=PATIENCE).close()
    except OSError:
        raise InputError(
            f"Spark's master {first} does not answer. Is it running, and is the port open? "
            "Leave out --master to use this machine."
        ) from None
