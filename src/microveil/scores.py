"""Score: what a measure returns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

from microveil.display import Card, Grid, Shown, grid, number

__all__ = ["Score"]

Better = Literal["lower", "higher"]


@dataclass(frozen=True, eq=False, repr=False)
class Score(Shown):
    """A number with its scale, which direction is better, and the small frames behind it."""

    measure: str
    """Name of the measure in files."""
    value: float
    scale: str = "share"
    """Unit in words: ``share``, ``records``, ``sd`` …"""
    better: Better = "lower"
    interval: tuple[float, float] | None = None
    """Confidence interval, if the measure is an estimate."""
    parts: Mapping[str, Any] = field(default_factory=dict)
    """Named sub-values: plain numbers, or mappings of them (by column, …)."""
    records: NDArray[np.float64] | None = None
    """One value per record, in the order of the table, if they exist."""
    frames: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    """Small tables behind the number, for plots and reports."""

    def __float__(self) -> float:
        """The value alone."""
        return float(self.value)

    def card(self) -> Card:
        """The number, its interval and its parts, without any values of records."""
        interval = "" if self.interval is None else f", {_between(self.interval)}"
        title = f"{self.measure}: {number(self.value)} ({self.scale}{interval})"
        rows = [(name, part) for name, part in self.parts.items() if _is_plain(part)]
        grids = [grid(("part", "value"), rows)] if rows else []
        return Card(title, (f"{self.better} is better",), (*grids, *_grids(self.parts)))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without per-record values and frames."""
        plain: dict[str, Any] = {
            "measure": self.measure,
            "value": self.value,
            "scale": self.scale,
            "better": self.better,
        }
        if self.interval is not None:
            plain["interval"] = list(self.interval)
        if self.parts:
            plain["parts"] = dict(self.parts)
        return plain


def _grids(parts: Mapping[str, Any]) -> Iterator[Grid]:
    """Parts that are mappings of numbers, as tables: those about the same things side by side."""
    groups: list[dict[str, Mapping[str, Any]]] = []
    for name, part in parts.items():
        plain = (
            {key: one for key, one in part.items() if _is_plain(one)}
            if isinstance(part, Mapping)
            else {}
        )
        alike = [
            group for group in groups if any(plain.keys() & one.keys() for one in group.values())
        ]
        if alike:
            alike[0][name] = plain
        elif plain:
            groups.append({name: plain})
    for group in groups:
        keys = dict.fromkeys(key for part in group.values() for key in part)
        rows = [(key, *(part.get(key) for part in group.values())) for key in keys]
        yield grid(("", *group), rows)


def _between(interval: tuple[float, float]) -> str:
    return f"95% interval {number(interval[0])} to {number(interval[1])}"


def _is_plain(part: Any) -> bool:
    return isinstance(part, int | float | str)
