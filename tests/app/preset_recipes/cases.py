"""Patients for the tests of presets."""

from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl


def patients(n: int = 120) -> pl.DataFrame:
    rng = np.random.default_rng(1)
    births = [dt.date(1920, 1, 1) + dt.timedelta(days=int(d)) for d in rng.integers(0, 30_000, n)]
    return pl.DataFrame(
        {
            "patient_name": [f"Anna Smith{chr(97 + i % 26)}" for i in range(n)],
            "email": [f"u{i}@example.org" for i in range(n)],
            "birth_date": births,
            "age": rng.integers(0, 105, n),
            "zip": [f"{code:05d}" for code in rng.choice([2138, 3601, 10001, 82101], n)],
            "zip_code": rng.choice([2138, 3601, 10001, 82101], n),
            "admission_date": [f"03/{day:02d}/2019" for day in rng.integers(13, 28, n)],
            "sex": rng.choice(["f", "m"], n),
            "diagnosis": rng.choice(["C34.1", "E11.9", "I10"], n),
        }
    )
