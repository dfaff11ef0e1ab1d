"""Cores: how many threads the work may use, and how blocks of it are spread over them."""

from microveil.cores.machine import usable_cores
from microveil.cores.pool import (
    blocks_of,
    cells_on_cores,
    map_on_cores,
    shared_pool,
    stream_on_cores,
)
from microveil.cores.settings import Settings, n_threads, one_thread, settings

__all__ = [
    "Settings",
    "blocks_of",
    "cells_on_cores",
    "map_on_cores",
    "n_threads",
    "one_thread",
    "settings",
    "shared_pool",
    "stream_on_cores",
    "usable_cores",
]
