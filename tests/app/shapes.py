"""Tables of every shape that a user may bring, made from a seed: no two columns agree by plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta

import numpy as np
import polars as pl

Shape = Callable[[np.random.Generator], pl.DataFrame]

FIRST = ("Ann", "Bo", "Carla", "Dmitri", "Eva", "Fatma", "Goran", "Hiie", "Ines", "Jüri")
LAST = ("Tamm", "Serra", "Ivanova", "Okafor", "Lund", "Novak", "Silva", "Weber", "Kask", "Puig")
SYMPTOMS = ("headache", "fever", "a broken arm", "chest pain", "fatigue", "back pain")
ICD = ("I21.0", "I21.4", "I50.1", "J18.9", "J44.0", "E11.9", "C50.4", "K35.8", "S72.0", "F32.1")


def days(rng: np.random.Generator, n: int, first: date, span: int) -> list[date]:
    """Dates of a span."""
    return [first + timedelta(days=int(day)) for day in rng.integers(0, span, n)]


def pick(rng: np.random.Generator, values: tuple[str, ...], n: int) -> list[str]:
    """Values of which the first ones are more common."""
    odds = 1 / np.arange(1, len(values) + 1)
    return [values[i] for i in rng.choice(len(values), n, p=odds / odds.sum())]


def people(rng: np.random.Generator, n: int) -> pl.DataFrame:
    """An ordinary survey: age, sex, region, income."""
    return pl.DataFrame(
        {
            "age": rng.integers(18, 92, n),
            "sex": pick(rng, ("female", "male"), n),
            "region": pick(rng, tuple(f"R{i:02}" for i in range(17)), n),
            "income": rng.lognormal(10, 0.6, n).round(0).astype(int),
        }
    )


def stays(rng: np.random.Generator) -> pl.DataFrame:
    """Several rows per patient, a local number, European dates, diagnoses."""
    n = 1_500
    who = rng.integers(0, 600, n)
    births = days(rng, 600, date(1930, 1, 1), 25_000)
    sexes = pick(rng, ("F", "M"), 600)
    return pl.DataFrame(
        {
            "patient_id": [f"P{100_000 + 7 * one}" for one in who],
            "birth_date": [births[one].strftime("%d/%m/%Y") for one in who],
            "sex": [sexes[one] for one in who],
            "admission": [d.strftime("%d/%m/%Y") for d in days(rng, n, date(2023, 1, 1), 365)],
            "diagnosis": pick(rng, ICD, n),
            "cost": rng.lognormal(7, 1, n).round(2),
        }
    )


def households(rng: np.random.Generator) -> pl.DataFrame:
    """Members of households with a weight of each household."""
    sizes = rng.integers(1, 6, 400)
    home = np.repeat(np.arange(400), sizes)
    n = len(home)
    region, weight = pick(rng, ("north", "south", "east", "west"), 400), rng.uniform(50, 150, 400)
    return people(rng, n).with_columns(
        hhid=pl.Series(10_000 + home),
        hhsize=pl.Series(np.repeat(sizes, sizes)),
        region=pl.Series([region[one] for one in home]),
        weight=pl.Series(weight[home].round(3)),
    )


def strata(rng: np.random.Generator) -> pl.DataFrame:
    """A survey with strata, clusters and sampling weights."""
    n = 900
    return people(rng, n).with_columns(
        stratum=pl.Series(rng.integers(1, 9, n)),
        psu=pl.Series(rng.integers(1, 40, n)),
        weight=pl.Series(rng.uniform(10, 400, n)),
    )


def labelled(rng: np.random.Generator) -> pl.DataFrame:
    """Codes of answers, with don't-know codes at the end."""
    n = 800
    return people(rng, n).with_columns(
        marital=pl.Series(rng.choice([1, 2, 3, 4, 9], n, p=[0.3, 0.4, 0.15, 0.1, 0.05])),
        religion=pl.Series(rng.choice([1, 2, 3, 4, 5, 98, 99], n)),
        height=pl.Series(np.where(rng.random(n) < 0.03, 9999, rng.normal(170, 9, n).round())),
    )


def near_unique(rng: np.random.Generator) -> pl.DataFrame:
    """Ids that nearly every row has of its own, as numbers and as text."""
    n = 700
    return people(rng, n).with_columns(
        case=pl.Series(rng.permutation(np.arange(n)) // 2 * 2 + 5_000),
        code=pl.Series(
            [f"{a}{b:06}" for a, b in zip("ABCDEFG" * 100, rng.integers(0, 10**6, n), strict=True)]
        ),
        card=pl.Series(rng.integers(10**15, 10**16, n)),
    )


def all_missing(rng: np.random.Generator) -> pl.DataFrame:
    """Columns without a single value, and one with a few."""
    some = rng.random(300) < 0.03
    return people(rng, 300).with_columns(
        pl.lit(None).alias("district"),
        pl.lit(None, dtype=pl.String).alias("note"),
        pl.when(pl.Series(some)).then(pl.lit("yes")).alias("disabled"),
    )


def one_row(rng: np.random.Generator) -> pl.DataFrame:
    """A single person."""
    return people(rng, 1)


def two_rows(_: np.random.Generator) -> pl.DataFrame:
    """Two people who differ in everything."""
    return pl.DataFrame({"age": [23, 81], "sex": ["f", "m"], "zip": ["08001", "50001"]})


def tiny(rng: np.random.Generator) -> pl.DataFrame:
    """A handful of records."""
    return people(rng, 12)


def all_unique(rng: np.random.Generator) -> pl.DataFrame:
    """No value occurs twice in any column."""
    n = 400
    return pl.DataFrame(
        {
            "age": rng.permutation(np.arange(n)) / 4,
            "birth_date": [date(1940, 1, 1) + timedelta(days=int(31 * i)) for i in range(n)],
            "city": [f"town {i}" for i in rng.permutation(n)],
            "salary": rng.permutation(np.arange(n)) * 137 + 11,
        }
    )


def constant(rng: np.random.Generator) -> pl.DataFrame:
    """Columns with one value only."""
    return people(rng, 500).with_columns(
        country=pl.lit("EE"), year=pl.lit(2024), wave=pl.lit(1.5), consent=pl.lit(value=True)
    )


def all_constant(_: np.random.Generator) -> pl.DataFrame:
    """Nothing tells any record from another."""
    return pl.DataFrame({"age": [40] * 60, "sex": ["f"] * 60, "city": ["Tartu"] * 60})


def wide(rng: np.random.Generator) -> pl.DataFrame:
    """Sixty columns: few keys, many answers."""
    n = 600
    answers = {f"q{i}": rng.integers(1, 6, n) for i in range(40)}
    measures = {f"m{i}": rng.normal(0, 1, n).round(2) for i in range(16)}
    return people(rng, n).with_columns(
        **{name: pl.Series(values) for name, values in (answers | measures).items()}
    )


def names(rng: np.random.Generator) -> pl.DataFrame:
    """Direct identifiers of several kinds."""
    n = 500
    full = [f"{a} {b}" for a, b in zip(pick(rng, FIRST, n), pick(rng, LAST, n), strict=True)]
    return people(rng, n).with_columns(
        name=pl.Series(full),
        email=pl.Series([f"u{i}@example.org" for i in rng.permutation(n)]),
        phone=pl.Series([f"+372 5{i:07}" for i in rng.integers(0, 10**7, n)]),
    )


def booleans(rng: np.random.Generator) -> pl.DataFrame:
    """Flags only."""
    return pl.DataFrame({f"has_{w}": rng.random(400) < 0.2 for w in ("car", "dog", "job", "pain")})


def decimals(rng: np.random.Generator) -> pl.DataFrame:
    """Exact measures beside keys with a decimal point."""
    n = 800
    return pl.DataFrame(
        {
            "age": rng.uniform(18, 90, n).round(1),
            "weight_kg": rng.normal(75, 12, n).round(1),
            "height_m": rng.normal(1.7, 0.1, n).round(2),
            "glucose": rng.normal(5.4, 1, n),
        }
    )


def durations(rng: np.random.Generator) -> pl.DataFrame:
    """Times: moments, durations as text and as numbers."""
    n = 600
    start = [
        datetime(2024, 1, 1, tzinfo=UTC) + timedelta(minutes=int(m))
        for m in rng.integers(0, 500_000, n)
    ]
    stay = rng.integers(1, 20_000, n)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "arrival": [one.replace(tzinfo=None) for one in start],
            "stay": [f"{m // 60:02}:{m % 60:02}:00" for m in stay],
            "minutes": stay,
            "sex": pick(rng, ("f", "m"), n),
        }
    )


def large(rng: np.random.Generator) -> pl.DataFrame:
    """Twenty thousand rows."""
    n = 20_000
    return people(rng, n).with_columns(
        zip=pl.Series([f"{z:05}" for z in rng.integers(8001, 8999, n)]),
        occupation=pl.Series(pick(rng, ("2211", "2221", "5120", "9112", "7115", "3341"), n)),
    )


def coordinates(rng: np.random.Generator) -> pl.DataFrame:
    """Where people live, to the metre."""
    n = 600
    return people(rng, n).with_columns(
        latitude=pl.Series(rng.normal(58.4, 0.05, n).round(6)),
        longitude=pl.Series(rng.normal(26.7, 0.1, n).round(6)),
    )


def free_text(rng: np.random.Generator) -> pl.DataFrame:
    """Remarks in words."""
    n = 400
    said = [
        f"Pt {i} came with {a} and {b}, lives near {c}."
        for i, a, b, c in zip(
            range(n),
            pick(rng, SYMPTOMS, n),
            pick(rng, SYMPTOMS, n),
            pick(rng, LAST, n),
            strict=True,
        )
    ]
    return people(rng, n).with_columns(remarks=pl.Series(said))


def panel(rng: np.random.Generator) -> pl.DataFrame:
    """Each person in several years, one row each."""
    who, year = np.repeat(np.arange(300), 4), np.tile(np.arange(2019, 2023), 300)
    age = rng.integers(20, 70, 300)[who] + year - 2019
    sexes = np.array(pick(rng, ("f", "m"), 300))
    return pl.DataFrame(
        {
            "person_id": 70_001 + who,
            "year": year,
            "age": age,
            "sex": sexes[who],
            "employed": rng.random(len(who)) < 0.7,
            "wage": rng.lognormal(7.5, 0.4, len(who)).round(0),
        }
    )


def codes(rng: np.random.Generator) -> pl.DataFrame:
    """Known classifications: countries, NUTS, NACE, ISCO, addresses of computers."""
    n = 1_000
    return pl.DataFrame(
        {
            "citizenship": pick(rng, ("EE", "LV", "FI", "RU", "UA", "DE", "FR", "NG"), n),
            "nuts": pick(rng, ("EE001", "EE004", "EE006", "EE007", "EE008", "LV003", "FI1B1"), n),
            "nace": pick(rng, ("01.11", "10.71", "47.11", "62.01", "86.10", "85.20"), n),
            "isco": pick(rng, ("2211", "2221", "5120", "9112", "7115", "3341"), n),
            "ip": [f"10.{a}.{b}.{c}" for a, b, c in rng.integers(0, 255, (n, 3))],
            "diagnosis": pick(rng, ICD, n),
        }
    )


def dirty(rng: np.random.Generator) -> pl.DataFrame:
    """Ages of 200, dates to come, blanks written in many ways, spaces around values."""
    n = 500
    odd = rng.random(n)
    return people(rng, n).with_columns(
        age=pl.Series(np.where(odd < 0.02, 200, rng.integers(18, 90, n))),
        born=pl.Series(
            [
                "n/a" if o > 0.97 else ("31.12.2099" if o < 0.01 else d.strftime("%d.%m.%Y"))
                for o, d in zip(odd, days(rng, n, date(1935, 1, 1), 25_000), strict=True)
            ]
        ),
        region=pl.Series(
            [f" {r} " if o < 0.1 else r for o, r in zip(odd, pick(rng, LAST, n), strict=True)]
        ),
    )


def no_keys(rng: np.random.Generator) -> pl.DataFrame:
    """Columns whose names and values say nothing."""
    return pl.DataFrame({f"v{i}": rng.normal(0, 1, 500) for i in range(5)})


def skewed(rng: np.random.Generator) -> pl.DataFrame:
    """One value in almost every row, some of it infinite or very large."""
    n = 600
    turnover = rng.pareto(1.0, n) * 1e9
    return people(rng, n).with_columns(
        children=pl.Series(np.where(rng.random(n) < 0.985, 0, rng.integers(1, 14, n))),
        nationality=pl.Series(np.where(rng.random(n) < 0.98, "Estonian", pick(rng, LAST, n))),
        turnover=pl.Series(turnover.round(2)),
    )


SHAPES: Mapping[str, Shape] = {
    one.__name__: one
    for one in (
        stays, households, strata, labelled, near_unique, all_missing, one_row, two_rows, tiny,
        all_unique, constant, all_constant, wide, names, booleans, decimals, durations, large,
        coordinates, free_text, panel, codes, dirty, no_keys, skewed,
    )
}  # fmt: skip
