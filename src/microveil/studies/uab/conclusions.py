"""What the thesis concludes in words (sections 7.3 to 7.6), asked of the runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from microveil.studies.cells import Cell, Experiment
from microveil.studies.uab.methods import Averages
from microveil.studies.uab.published import Data

LITTLE = 0.05
"""Share by which additive noise may move mean and standard deviation, as the thesis says."""
EXACTLY = 1e-9
PEAK = 10.0
"""Times the median error that the largest one is, where a curve of errors ends in a peak."""
OLDEST = 80.0
Found = Mapping[tuple[Data, str], Averages]


def conclusions(found: Found, data: Mapping[Data, pl.DataFrame]) -> Experiment:
    """The thesis' sentences about both data sets: 1 where our runs bear them out, 0 where not."""
    cells = [
        Cell({"statement": text}, f"holds for {kind}", float(holds))
        for kind, frame in data.items()
        for text, holds in _statements(kind, frame, found)
    ]
    failing = sum(not cell.ours for cell in cells)
    return Experiment.of(
        "Conclusions",
        "Sections 7.3 to 7.6",
        cells,
        note="The thesis says these in words; 1 where the runs here bear them out, 0 where they do "
        f"not ({failing} of {len(cells)}). Those of the salaries are about the stand-in; its "
        "comparisons with sdcMicro are not asked, for sdcMicro is not run.",
    )


def _statements(kind: Data, frame: pl.DataFrame, found: Found) -> Iterator[tuple[str, bool]]:
    original = frame.to_series().cast(pl.Float64).to_numpy()
    mean, sd = float(original.mean()), float(original.std(ddof=1))
    noise, scaled = found[kind, "additive noise"].mean, found[kind, "multiplicative noise"].mean
    swap, blocks = found[kind, "rank swap, chained"].mean, found[kind, "rank swap, blocks"].mean
    grouped, plain = found[kind, "microaggregation"].mean, found[kind, "rank swap"].mean
    yield "Additive noise makes negative values", noise["smallest"] < 0 <= float(original.min())
    yield (
        "Additive noise moves mean and standard deviation by less than 5 %",
        abs(noise["mean"] / mean - 1) < LITTLE and abs(noise["sd"] / sd - 1) < LITTLE,
    )
    yield (
        "Multiplicative noise makes values larger than any original (ages above 80)",
        scaled["largest"] > max(float(original.max()), OLDEST if kind == "ages" else 0.0),
    )
    yield "Multiplicative noise moves the standard deviation more", scaled["sd"] > noise["sd"]
    yield "rankSwapMk2 is faster than rankSwap", blocks["seconds"] < plain["seconds"]
    yield "rankSwapMk2 loses less than rankSwap", blocks["il1s"] < swap["il1s"]
    yield "rankSwapMk2 risks more than rankSwap", blocks["risk"] > swap["risk"]
    kept = [abs(one["mean"] / mean - 1) + abs(one["sd"] / sd - 1) for one in (swap, blocks)]
    yield "Swapping keeps mean and standard deviation", bool(np.max(kept) < EXACTLY)
    yield (
        "Microaggregation's errors end in a peak: outliers joined with values further in",
        grouped["peak"] > PEAK,
    )
