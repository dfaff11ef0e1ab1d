"""Tables 1 to 15 of the thesis, as printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Data = Literal["ages", "salaries"]


@dataclass(frozen=True)
class Column:
    """One column of a table: a function's averages over 100 runs."""

    table: int
    data: Data
    method: str
    """Name of our method, in :data:`microveil.studies.uab.methods.METHODS`."""
    program: str
    """The function, in the thesis' module or in sdcMicro."""
    values: Mapping[str, str]
    """By quantity: ``il1s``, ``risk``, ``mean``, ``sd``, ``seconds``; as printed."""


def _column(table: int, data: Data, method: str, program: str, *printed: str) -> Column:
    names = ("il1s", "risk", "mean", "sd", "seconds")
    values = {name: text for name, text in zip(names, printed, strict=True) if text}
    return Column(table, data, method, program, values)


ORIGINAL: Mapping[Data, Mapping[str, str]] = {
    "ages": {"records": "714", "mean": "29.6991", "sd": "14.5265"},
    "salaries": {"records": "148651", "mean": "74759", "sd": "50476"},
}
"""Tables 1 and 2."""

# Tables 4 to 7 measure additive noise of p = .2 in runs of their own.
COLUMNS: tuple[Column, ...] = (
    _column(4, "ages", "additive noise", "risk", "", "0.6695", "", "", "0.0012"),
    _column(4, "ages", "additive noise", "sdcMicro dRisk", "", "0.6762", "", "", "0.0013"),
    _column(5, "salaries", "additive noise", "risk", "", "0.6931", "", "", "0.0070"),
    _column(5, "salaries", "additive noise", "sdcMicro dRisk", "", "0.7006", "", "", "0.1097"),
    _column(6, "ages", "additive noise", "il1s", "82.8266", "", "", "", "0.0008"),
    _column(6, "ages", "additive noise", "sdcMicro dUtility", "83.65", "", "", "", "0.0005"),
    _column(7, "salaries", "additive noise", "il1s", "16754", "", "", "", "0.0076"),
    _column(7, "salaries", "additive noise", "sdcMicro dUtility", "16914", "", "", "", "0.0416"),
    _column(
        8, "ages", "additive noise", "additiveNoise",
        "80.7796", "0.6910", "29.7152", "14.8088", "0.0003",
    ),
    _column(
        8, "ages", "additive noise", "sdcMicro addNoise",
        "81.3743", "0.7010", "30", "14.96", "0.0025",
    ),
    _column(
        9, "salaries", "additive noise", "additiveNoise",
        "16772", "0.6923", "74766", "51477", "0.0078",
    ),
    _column(
        9, "salaries", "additive noise", "sdcMicro addNoise",
        "16943", "0.6990", "75506", "51994", "0.0919",
    ),
    _column(
        10, "ages", "multiplicative noise", "multiplicativeNoise",
        "247.7623", "0.3765", "29.7151", "17.5809", "0.0002",
    ),
    _column(
        11, "salaries", "multiplicative noise", "multiplicativeNoise",
        "37265", "0.5059", "74753", "57264", "0.0067",
    ),
    _column(
        12, "ages", "rank swap", "rankSwap",
        "264.8834", "0.2225", "29.6991", "14.5265", "0.1652",
    ),
    _column(
        12, "ages", "rank swap, blocks", "rankSwapMk2",
        "157.7202", "0.4490", "29.6991", "14.5265", "0.0888",
    ),
    _column(
        12, "ages", "rank swap", "sdcMicro rankSwap",
        "559.0935", "0.1068", "29.6991", "14.67", "0.0014",
    ),
    _column(
        13, "salaries", "rank swap", "rankSwap",
        "51686", "0.2847", "74759", "50476", "217",
    ),
    _column(
        13, "salaries", "rank swap, blocks", "rankSwapMk2",
        "29014", "0.5327", "74759", "50476", "11.9252",
    ),
    _column(
        13, "salaries", "rank swap", "sdcMicro rankSwap",
        "119211", "0.1269", "74759", "50476", "18.35",
    ),
    _column(
        14, "ages", "microaggregation", "microaggregation",
        "5.9121", "0.9985", "29.6991", "14.5197", "0.4645",
    ),
    _column(
        14, "ages", "microaggregation", "sdcMicro microaggregation",
        "5.9680", "1.0", "29.6991", "14.66", "0.0116",
    ),
    _column(
        15, "salaries", "microaggregation", "microaggregation",
        "", "1.0", "74759", "50476", "373",
    ),
    _column(
        15, "salaries", "microaggregation", "sdcMicro microaggregation",
        "7.3139", "1.0", "74759", "50476", "0.3235",
    ),
)  # fmt: skip
"""Where a program prints no number its entry is empty: table 15 has no IL1s of the thesis' own."""
N_RUNS = 100
"""Runs the thesis averages over."""
