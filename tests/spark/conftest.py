"""One Spark session for all tests; they are skipped, with the reason, where there is none."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from microveil.errors import InputError
from microveil.spark.session import check_installed, check_java, spark_session


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    try:
        check_installed()
        check_java()
    except InputError as error:
        pytest.skip(str(error))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PySpark speaks of pandas, which is not used here
        session = spark_session(
            "local[2]",
            **{
                "spark.sql.shuffle.partitions": "2",
                "spark.driver.memory": "1g",
                "spark.python.worker.reuse": "true",
            },
        )
        yield session
        session.stop()
