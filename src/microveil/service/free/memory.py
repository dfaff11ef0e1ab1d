"""Cache of the answers that a group has paid for, read from the ledger once."""

from __future__ import annotations

import json
from threading import Lock

from microveil.dp import Answer
from microveil.service.free.answers import Bought
from microveil.service.ledger.ledger import Ledger
from microveil.service.registry import DataSet


class Memory:
    """Stored answers by data set and group; new ones are fetched on demand."""

    def __init__(self, ledger: Ledger) -> None:
        """Start empty."""
        self._ledger = ledger
        self._known: dict[tuple[str, str, str], tuple[int, list[Bought]]] = {}
        self._lock = Lock()

    def load_bought(self, data: DataSet, group: str) -> list[Bought]:
        """All answers of the group about this version of the data, oldest first."""
        place = data.name, data.identity, group
        with self._lock:
            last, known = self._known.get(place, (0, []))
            paid = self._ledger.paid_queries(
                data=data.name, version=data.identity, group=group, answered_after=last
            )
            for one in paid:
                last = max(last, one.reservation.answer_seq or 0)
                answers = json.loads(one.answer or '{"answers":[]}')["answers"]
                known += [
                    Bought.of(one.reservation.seq, Answer.from_dict(plain), data.declaration)
                    for plain in answers
                ]
            self._known[place] = last, known
            return list(known)
