"""Spark Connect: sessions whose server may be on another machine."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from microveil.errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CONNECT = "sc://"
"""How the address of a server begins."""
PORT = 15002


def check_client() -> None:
    """Raise an error if PySpark came without its client for Connect."""
    if find_spec("grpc") is None or find_spec("grpc_status") is None:
        raise InputError("Spark Connect needs its client: pip install 'pyspark[connect]'.")


def connect(server: str) -> SparkSession:
    """A session on a server; its own settings hold, but for the time zone."""
    from pyspark.sql import SparkSession

    builder: Any = SparkSession.builder
    session: SparkSession = builder.remote(server).getOrCreate()
    session.conf.set("spark.sql.session.timeZone", "UTC")
    return session


def runs_here(session: SparkSession) -> bool:
    """Whether Spark's workers are on this machine and see its files."""
    if type(session).__module__.startswith("pyspark.sql.connect"):
        return False  # the server may be anywhere
    return str(session.sparkContext.master).startswith("local")
