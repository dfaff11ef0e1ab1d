"""Answer: noisy numbers, their error bounds, and what they cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from microveil.dp.accounting.events import Event
from microveil.dp.prices.loss import Loss
from microveil.dp.queries import QUERIES, Query
from microveil.dp.spread import Noise
from microveil.errors import QueryError

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Answer:
    """The answer to a query: rows of keys, values and intervals.

    Rows are mappings: the columns of the breakdown, then ``value``, ``low`` and ``high``. The
    interval covers the noise with the stated confidence: it refers to the table, not to a
    population from which the table was drawn.
    """

    query: Query
    rows: tuple[Mapping[str, Any], ...]
    loss: Loss
    """What it cost."""
    noises: tuple[Noise, ...]
    """The noise of each number behind the answer, in its own unit."""
    events: tuple[Event, ...]
    """What was drawn, for tight accounting."""
    confidence: float
    unit: str
    """Whom the guarantee protects."""
    relation: str
    """Which tables the answer makes nearly indistinguishable."""
    sentence: str
    """The answer in plain words."""

    @property
    def value(self) -> Any:
        """The value of an answer with one row."""
        return self._one("value")

    @property
    def interval(self) -> tuple[Any, Any] | None:
        """The interval of an answer with one row; None if there is none."""
        low, high = self._one("low"), self._one("high")
        return None if low is None else (low, high)

    @property
    def scale(self) -> float:
        """Scale of the noise in the first number behind the answer."""
        return self.noises[0].scale if self.noises else 0.0

    @property
    def frame(self) -> pl.DataFrame:
        """The rows as a Polars frame."""
        import polars as pl

        columns = list(self.rows[0]) if self.rows else [*self.query.by, "value", "low", "high"]
        return pl.DataFrame(
            {name: [row[name] for row in self.rows] for name in columns}, strict=False
        )

    def _one(self, name: str) -> Any:
        if len(self.rows) != 1:
            raise QueryError(f"The answer has {len(self.rows)} rows; read them in `.frame`.")
        return self.rows[0][name]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; everything in it is protected by noise."""
        return {
            "query": self.query.to_dict(),
            "rows": [dict(row) for row in self.rows],
            "loss": self.loss.to_dict(),
            "noises": [asdict(noise) for noise in self.noises],
            "events": [event.to_dict() for event in self.events],
            "confidence": self.confidence,
            "unit": self.unit,
            "relation": self.relation,
            "sentence": self.sentence,
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Answer:
        """The inverse of :meth:`to_dict`."""
        return cls(
            QUERIES.parse(dict(plain["query"])),
            tuple(dict(row) for row in plain["rows"]),
            Loss.parse(plain["loss"]),
            tuple(Noise(**one) for one in plain["noises"]),
            tuple(Event.parse(one) for one in plain["events"]),
            plain["confidence"],
            plain["unit"],
            plain["relation"],
            plain["sentence"],
        )
