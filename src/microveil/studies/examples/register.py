"""A population register: a row per inhabitant, families, and names in the Danish way."""

from __future__ import annotations

import numpy as np
import polars as pl

from microveil.arrays import Flags, Floats, Longs

TRADES = ("011100", "101110", "162300", "251100", "412000", "431100", "471110", "479110", "492000",
          "561110", "620100", "682040", "691000", "841100", "852010", "861000", "871020", "889110",
          "960210", "999999")  # fmt: skip
"""Industries (DB07: six digits, the first four are NACE)."""
COUNTRIES = ("DK", "PL", "DE", "SY", "TR", "RO", "NO", "SE", "UA", "IQ", "SO", "VN")
_LAST_DAY = np.datetime64("2023-12-31")


def register(n: int, seed: int = 0) -> pl.DataFrame:
    """Inhabitants on 31 December 2023 with family, municipality, education, trade and income.

    Columns, as Danish registers name them: PNR (a person's number, artificial), FAMILIE_ID, KOM
    (one of 98 municipalities), FOED_DAG (date of birth), KOEN (1 man, 2 woman), CIVST (G married,
    U unmarried, F divorced, E widowed), IELAND (country of origin), HFAUDD (education, years),
    BRANCHE (industry) and INDKOMST (income, kroner). It holds everybody, so there is no weight.

    >>> register(3).columns[:4]
    ['PNR', 'FAMILIE_ID', 'KOM', 'FOED_DAG']
    """
    rng = np.random.default_rng(seed)
    sizes = rng.choice([1, 2, 3, 4, 5, 6], n, p=[0.42, 0.28, 0.12, 0.12, 0.045, 0.015])
    family = np.repeat(np.arange(n), sizes)[:n]
    place = np.concatenate([np.arange(one) for one in sizes[: int(family[-1]) + 1]])[:n]
    age = _ages(family, place, rng)
    grown = age >= 18  # noqa: PLR2004  of age
    days = (age * 365.25).astype(np.int64) + rng.integers(0, 365, n)
    married = (np.bincount(family, minlength=n)[family] > 1) & (place < 2) & (rng.random(n) < 0.7)  # noqa: PLR2004
    alone = np.where(age > 70, rng.choice(["E", "F", "U"], n, p=[0.5, 0.3, 0.2]),  # noqa: PLR2004
                     rng.choice(["F", "U"], n, p=[0.2, 0.8]))  # fmt: skip
    years = np.where(
        grown, np.clip(np.round(rng.normal(13, 2.8, n)), 9, 20), np.clip(age - 6, 0, 9)
    )
    works = grown & (age < 67) & (rng.random(n) < 0.78)  # noqa: PLR2004  pension, a share
    origin = rng.choice(len(COUNTRIES), n, p=_falling(len(COUNTRIES), 0.86))
    return pl.DataFrame(
        {
            "PNR": pl.Series(rng.choice(900_000_000, n, replace=False) + 100_000_000),
            "FAMILIE_ID": pl.Series(rng.permutation(n)).gather(family),
            "KOM": pl.Series(_municipalities()).gather(_homes(n, rng)[family]),
            "FOED_DAG": pl.Series(_LAST_DAY - days.astype("timedelta64[D]")).cast(pl.Date),
            "KOEN": np.where(rng.random(n) < 0.5, 1, 2),  # noqa: PLR2004  a half
            "CIVST": np.where(~grown, "U", np.where(married, "G", alone)),
            "IELAND": pl.Series(COUNTRIES).gather(origin),
            "HFAUDD": years.astype(np.int64),
            "BRANCHE": pl.Series(
                np.where(works, np.asarray(TRADES)[rng.integers(0, len(TRADES) - 1, n)], "999999")
            ),
            "INDKOMST": _incomes(grown, works, years, rng),
        }
    )


def _ages(family: Longs, place: Longs, rng: np.random.Generator) -> Longs:
    """The first of a family is grown, the second of like age, the others are their children."""
    n = len(family)
    first = np.clip(rng.gamma(6, 9, n), 18, 102)[family]
    partner = np.clip(first + rng.normal(-1, 3, n), 18, 102)
    child = np.clip(first - rng.integers(20, 40, n), 0, 30)
    return np.asarray(np.select([place == 0, place == 1], [first, partner], child), dtype=np.int64)


def _municipalities() -> list[int]:
    """98 codes between 101 and 860, as Danish municipalities have them."""
    return [101, *(147 + 7 * i for i in range(96)), 860]


def _homes(n: int, rng: np.random.Generator) -> Longs:
    return np.asarray(rng.choice(98, n, p=_falling(98, 0.1)))


def _falling(n: int, first: float) -> Floats:
    """Shares that fall: ``first``, and the rest in proportion to 1, 1/2, 1/3 and so on."""
    rest = 1 / np.arange(1, n)
    return np.concatenate([[first], (1 - first) * rest / rest.sum()])


def _incomes(grown: Flags, works: Flags, years: Floats, rng: np.random.Generator) -> Longs:
    """Kroner in a year: wages rise with education, others live on benefits, children have none."""
    wage = rng.lognormal(12.2 + 0.06 * (years - 12), 0.45)
    support = rng.lognormal(11.7, 0.3, len(years))
    return np.asarray(np.where(works, wage, np.where(grown, support, 0)), dtype=np.int64)
