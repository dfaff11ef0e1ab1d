from __future__ import annotations

from random import Random

import polars as pl

from microveil.app.inspection import inspect


def stays(seed: int = 3, *, typed_wrongly: float = 0.0) -> pl.DataFrame:
    """Stays of 200 patients under a name that tells nothing."""
    random = Random(seed)
    rows = []
    for _ in range(200):
        number, sex = random.randrange(10**6, 10**7), random.choice(["f", "m"])
        born = f"{random.randrange(1930, 2010)}-0{random.randrange(1, 10)}-1{random.randrange(10)}"
        for _ in range(random.choice([1, 2, 3])):
            said = random.choice(["f", "m"]) if random.random() < typed_wrongly else sex
            rows.append((number, born, said, random.randrange(1, 40)))
    names = ["xq", "birth_date", "sex", "days"]
    return pl.DataFrame(rows, schema=names, orient="row").with_columns(
        pl.col("birth_date").str.to_date()
    )


def test_rows_that_share_birth_and_sex_are_one_persons() -> None:
    found = inspect(stays())
    assert found.roles.entity == "xq"
    assert "same 'birth_date', 'sex'" in str(found["xq"].reasons[0])
    assert inspect(stays(typed_wrongly=0.02)).roles.entity == "xq"


def test_texts_tell_a_person_too() -> None:
    texts = stays().with_columns(pl.col("xq").cast(pl.String) + "b")
    assert inspect(texts).roles.entity == "xq"


def test_what_members_of_a_group_do_not_share_is_no_persons() -> None:
    random = Random(8)
    rows = stays()
    mixed = rows.with_columns(sex=pl.Series([random.choice("fm") for _ in range(rows.height)]))
    assert inspect(mixed).roles.entity is None
    assert inspect(stays().drop("sex")).roles.entity is None, "days of age determine a birth, too"


def test_measures_are_nobodys_id() -> None:
    table = stays().with_columns(pl.int_range(pl.len()).alias("row") % 70)
    assert inspect(table.drop("xq")).roles.entity is None
