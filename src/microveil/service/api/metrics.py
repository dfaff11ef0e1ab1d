"""Metrics in the text format of Prometheus."""

from __future__ import annotations

import bisect
from collections import Counter
from threading import Lock

_EDGES = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """Counts since the service started; none refers to a particular person."""

    def __init__(self) -> None:
        """Start with all counts at zero."""
        self._lock = Lock()
        self._requests: Counter[tuple[str, int]] = Counter()
        self._answers: Counter[str] = Counter()
        self._slots = [0] * (len(_EDGES) + 1)
        self._seconds = 0.0

    def request(self, route: str, status: int, seconds: float) -> None:
        """Count one request."""
        with self._lock:
            self._requests[route, status] += 1
            self._slots[bisect.bisect_left(_EDGES, seconds)] += 1
            self._seconds += seconds

    def answer(self, why: str) -> None:
        """Count one answer: paid, stored or derived."""
        with self._lock:
            self._answers[why] += 1

    def text(self, n_steps: int, n_commits: int) -> str:
        """All metrics in Prometheus's text format."""
        with self._lock:
            lines = ["# TYPE microveil_requests_total counter"]
            for (route, status), count in sorted(self._requests.items()):
                labels = f'route="{route}",status="{status}"'
                lines.append(f"microveil_requests_total{{{labels}}} {count}")
            lines.append("# TYPE microveil_answers_total counter")
            lines += [
                f'microveil_answers_total{{why="{why}"}} {count}'
                for why, count in sorted(self._answers.items())
            ]
            lines += self._histogram()
        lines += ["# TYPE microveil_ledger_steps_total counter"]
        lines += [f"microveil_ledger_steps_total {n_steps}"]
        lines += ["# TYPE microveil_ledger_commits_total counter"]
        lines += [f"microveil_ledger_commits_total {n_commits}"]
        return "\n".join(lines) + "\n"

    def _histogram(self) -> list[str]:
        lines, total = ["# TYPE microveil_request_seconds histogram"], 0
        for edge, count in zip((*_EDGES, "+Inf"), self._slots, strict=True):
            total += count
            lines.append(f'microveil_request_seconds_bucket{{le="{edge}"}} {total}')
        lines.append(f"microveil_request_seconds_sum {self._seconds:.6f}")
        lines.append(f"microveil_request_seconds_count {total}")
        return lines
