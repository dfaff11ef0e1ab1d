"""kill -9 at random instants under load: nothing is lost, nothing is answered twice differently."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx
import pytest

from microveil.service.ledger.audit import audit
from tests.postgresql import free_port
from tests.service.places import Place, make_place

PRICE = Fraction(1, 1000)


class Victim:
    """A service in a process of its own, to be killed and started again."""

    def __init__(self, place: Place) -> None:
        self.place, self.port = place, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        home = self.place.home
        command = [sys.executable, "-m", "microveil", "serve", "--port", str(self.port)]
        command += ["--home", str(home.folder), "--rate", "100000", "--seconds", "1"]
        env = {**os.environ, "MICROVEIL_LEDGER": home.url}
        self._process = subprocess.Popen(  # noqa: S603  our own program
            command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            assert self._process.poll() is None
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
            except OSError:
                time.sleep(0.05)
            else:
                return
        pytest.fail("the service did not start")

    def kill(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()


class Asker(threading.Thread):
    """Asks new questions, and old ones again, until told to stop; whatever the service does."""

    def __init__(self, victim: Victim, number: int) -> None:
        super().__init__(daemon=True)
        self.victim, self.number = victim, number
        self.stop = threading.Event()
        self.answers: list[tuple[str, Any]] = []
        """Question and answer, as often as it was answered."""
        self.statuses: set[int] = set()

    def run(self) -> None:
        chance = random.Random(self.number)
        turn = 0
        with httpx.Client(headers=self.victim.place.headers("ann"), timeout=10) as http:
            while not self.stop.is_set():
                turn += 1
                asked = chance.randint(1, turn)
                self._ask(http, f"age > {asked % 80} AND income < {100 + asked // 80}")

    def _ask(self, http: httpx.Client, where: str) -> None:
        body = {
            "query": {"query": "count", "where": where},
            "spend": {"epsilon": str(PRICE)},
            "free": "never",
        }
        try:
            reply = http.post(f"{self.victim.url}/v1/data/survey/query", json=body)
        except httpx.HTTPError:
            time.sleep(0.1)
            return
        self.statuses.add(reply.status_code)
        if reply.status_code == 200:
            self.answers.append((where, json.dumps(reply.json()["answers"])))


def torment(place: Place, n_kills: int, n_askers: int, seed: int) -> None:
    victim, chance = Victim(place), random.Random(seed)
    victim.start()
    askers = [Asker(victim, number) for number in range(n_askers)]
    for asker in askers:
        asker.start()
    for _ in range(n_kills):
        wait_for_answers(askers)
        time.sleep(chance.uniform(0.0, 0.3))
        victim.kill()
        victim.start()
    wait_for_answers(askers)
    for asker in askers:
        asker.stop.set()
    for asker in askers:
        asker.join()
    victim.kill()
    check(place, askers)


def wait_for_answers(askers: list[Asker]) -> None:
    """Let the service do something worth killing it for."""
    before, deadline = sum(len(one.answers) for one in askers), time.monotonic() + 120
    while sum(len(one.answers) for one in askers) == before:
        assert time.monotonic() < deadline
        time.sleep(0.002)


def check(place: Place, askers: list[Asker]) -> None:
    received = [one for asker in askers for one in asker.answers]
    assert received
    assert set().union(*(asker.statuses for asker in askers)) <= {200, 503, 504}
    with place.home.open() as ledger:
        found = audit(ledger)
        assert found.holds, found.problems
        paid = ledger.paid_queries(data="survey")
        shared = ledger.balances("data:survey")["epsilon"]
    questions = [one.reservation.question for one in paid]
    assert len(set(questions)) == len(questions)
    assert shared.spent == PRICE * len(paid)
    stored = {
        json.loads(one.reservation.question)["queries"][0]["where"]: json.dumps(
            json.loads(one.answer)["answers"]
        )
        for one in paid
        if one.answer is not None
    }
    # Whoever got an answer got the stored one, and everybody the same.
    for where, answer in received:
        assert stored[where] == answer


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite"])
def test_a_killed_service_loses_nothing(
    kind: str, new_url: Callable[[str], str], tmp_path: Path
) -> None:
    torment(make_place(tmp_path, new_url(kind)), n_kills=1, n_askers=4, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_service_killed_a_hundred_times_loses_nothing(
    kind: str, new_url: Callable[[str], str], tmp_path: Path
) -> None:
    place = make_place(
        tmp_path, new_url(kind), budget={"epsilon": 1000}, analyst_budget={"epsilon": 1000}
    )
    torment(place, n_kills=100, n_askers=8, seed=2)


KILLED = """
import os, sys, threading
from fractions import Fraction
from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.steps import Commit, Granted, Question, Reserve

ledger, run = Ledger.open(sys.argv[1]), sys.argv[2]

def work(number):
    for turn in range(10**6):
        asked = Question("s", "v", "ann", "g", f"{number} {turn % 50}")
        step = Reserve(asked, {"data:s": {"epsilon": Fraction(1, 1000)}}, lease=0)
        granted = ledger.do(step)
        if isinstance(granted, Granted):
            stored = ledger.do(Commit(asked.key, granted.token, f"{run} {number} {turn}"))
            body = getattr(stored, "body", None)
        else:
            body = getattr(granted, "body", None)
        if body is not None:
            os.write(1, f"{asked.key} {body}\\n".encode())

for number in range(8):
    threading.Thread(target=work, args=(number,), daemon=True).start()
threading.Event().wait()
"""


@pytest.mark.parametrize(
    ("kind", "n_kills"),
    [
        pytest.param("sqlite", 3),
        pytest.param("sqlite", 100, marks=pytest.mark.slow),
        pytest.param("postgresql", 100, marks=pytest.mark.slow),
    ],
)
def test_a_killed_ledger_loses_nothing(
    kind: str, n_kills: int, new_url: Callable[[str], str], tmp_path: Path
) -> None:
    from microveil.service.ledger.ledger import Ledger
    from microveil.service.ledger.steps import SetCaps

    url, chance = new_url(kind), random.Random(7)
    with Ledger.open(url, create=True) as ledger:
        ledger.do(SetCaps("data:s", {"epsilon": Fraction(1000)}))
    sent: dict[str, str] = {}
    for number in range(n_kills):
        out = tmp_path / f"out {number}"
        with out.open("wb") as file:
            process = subprocess.Popen(  # noqa: S603  our own program
                [sys.executable, "-c", KILLED, url, str(number)], stdout=file
            )
            deadline = time.monotonic() + 60
            while out.stat().st_size == 0 and time.monotonic() < deadline:
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.2))
            process.send_signal(signal.SIGKILL)
            process.wait()
        for line in out.read_text().splitlines():
            key, _, body = line.partition(" ")
            # The same answer in every life of the process, cut off only by the kill.
            if len(body.split()) == 3 and line in out.read_text().rpartition("\n")[0]:
                assert sent.setdefault(key, body) == body
    with Ledger.open(url) as ledger:
        found = audit(ledger)
        assert found.holds, found.problems
        stored = {one.reservation.key: one.answer for one in ledger.paid_queries()}
        spent = ledger.balances("data:s")["epsilon"].spent
    assert sent
    assert all(stored[key] == body for key, body in sent.items())
    assert spent == Fraction(len(stored), 1000)
