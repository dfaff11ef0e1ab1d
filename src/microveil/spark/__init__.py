"""Spark: the second engine, for tables that outgrow one machine; same recipes, same plans."""

from microveil.spark.release import SparkRelease
from microveil.spark.running import run_on_spark
from microveil.spark.session import spark_session
from microveil.spark.table import SparkTable
from microveil.tables.door import is_spark_frame

__all__ = ["SparkRelease", "SparkTable", "is_spark_frame", "run_on_spark", "spark_session"]
