"""The ledger: durable commits per second, beside a ledger with one transaction per request.

Goals: SQLite ≥ 400 commits/s, PostgreSQL ≥ 250, and ≥ 5 × the transaction per request, in one run.
A commit is one step (a reservation or a stored answer) that is safe on the disk when it returns.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.steps import Commit, Granted, Question, Reserve, SetCaps
from tests import postgresql

CLIENTS = 50
SECONDS = 5.0
PRICE = {"epsilon": Fraction(1, 1000)}


def questions(ledger: Ledger, run: str) -> int:
    """Steps that clients get through in the time: each reserves, then commits."""
    n_steps, lock, end = 0, threading.Lock(), time.perf_counter() + SECONDS

    def client(number: int) -> None:
        nonlocal n_steps
        done = 0
        while time.perf_counter() < end:
            asked = Question("s", "v", "ann", "g", f"{run} {number} {done}")
            granted = ledger.do(Reserve(asked, {"data:s": PRICE, "analyst:s:ann": PRICE}))
            assert isinstance(granted, Granted)
            ledger.do(Commit(asked.key, granted.token, '{"answers":[]}'))
            done += 2
        with lock:
            n_steps += done

    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(client, range(CLIENTS)))
    return n_steps


def per_second(url: str, most: int, run: str) -> float:
    """Durable steps per second, with at most so many in one transaction."""
    with Ledger.open(url, create=True, most=most) as ledger:
        for account in ("data:s", "analyst:s:ann"):
            ledger.do(SetCaps(account, {"epsilon": Fraction(10**6)}))
        started = time.perf_counter()
        n_steps = questions(ledger, run)
        return n_steps / (time.perf_counter() - started)


def compare(name: str, new_url: Callable[[str], str]) -> None:
    """Both ways in turns, so that a busy moment hits both."""
    found: dict[str, list[float]] = {"group": [], "single": []}
    for turn in range(2):
        for way, most in (("group", 256), ("single", 1)):
            found[way].append(per_second(new_url(f"{way}{turn}"), most, f"{way} {turn}"))
    group, single = max(found["group"]), max(found["single"])
    print(
        f"{name:<11} {CLIENTS} clients: {group:7,.0f} commits/s; one transaction per request "
        f"{single:6,.0f}; {group / single:5.1f} ×"
    )


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="microveil-bench-"))
    try:
        compare("SQLite", lambda name: f"sqlite:///{folder}/{name}.db")
    finally:
        shutil.rmtree(folder)
    programs = postgresql.binaries()
    if programs is None:
        print("PostgreSQL is not installed.")
        return
    import psycopg

    with postgresql.running(programs, durable=True) as server:

        def made(name: str) -> str:
            with psycopg.connect(server, autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name}")
            return server.removesuffix("postgres") + name

        compare("PostgreSQL", made)


if __name__ == "__main__":
    main()
