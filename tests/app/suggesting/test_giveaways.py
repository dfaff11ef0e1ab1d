"""What other columns give back is neither coarsened nor suppressed in vain."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.app.coarsening import Ladder
from microveil.app.suggesting.giveaways import Giveaways
from microveil.hierarchies import Dates, Prefix
from microveil.methods import Generalize

N = 600
WARDS = {"I10": "heart", "I21": "heart", "J18": "lung", "J44": "lung", "S72": "bones"}


def _frame() -> pl.DataFrame:
    rng = np.random.default_rng(4)
    icd = rng.choice(list(WARDS), N)
    area = rng.integers(0, 12, N)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, N),
            "district": [f"d{100 + one}" for one in area],
            "town": ["north", "south", "west"] * (N // 3),
            "ward": [WARDS[one] for one in icd],
            "icd": icd,
        }
    ).with_columns(
        town=pl.col("district").replace_strict({f"d{100 + i}": f"t{i // 4}" for i in range(12)})
    )


def _ladder(values: pl.Series) -> Ladder:
    cut = Prefix(lengths=(1,))
    return Ladder(values, (Generalize(column=values.name, hierarchy=cut, level=1),), leave_out=True)


def test_a_key_is_known_exactly_while_a_column_that_determines_it_is_shown() -> None:
    frame = _frame()
    keys = [_ladder(frame[name]) for name in ("district", "town", "ward")]
    gone = [len(key.rungs) - 1 for key in keys]
    found = Giveaways(keys, [frame["icd"]])
    assert found.givers(0, (0, 0, 0)) == []
    assert found.givers(1, (0, 0, 0)) == [0]
    assert found.givers(2, (0, 0, 0)) == [-1]
    assert found.givers(1, (gone[0], 0, 0)) == []
    assert found.givers(2, (0, 0, gone[2])) == [-1], "left out, and told all the same"
    assert found.importance((gone[0], 0, gone[2])) == {}
    assert set(found.importance((0, 0, 0))) == {"town", "ward"}


def test_keys_whose_labels_another_column_tells_are_not_suppressed_in_vain() -> None:
    rng = np.random.default_rng(1)
    days = rng.integers(0, 1460, N)
    start = np.datetime64("2019-01-01")
    income = np.where(np.arange(N) % 4 == 0, 0, rng.integers(1_000, 10**6, N))
    frame = pl.DataFrame(
        {
            "admitted": start + days,
            "discharged": start + days + rng.integers(0, 4, N),
            "status": np.where(income == 0, "child", rng.choice(["single", "married"], N)),
        }
    )
    years = [
        Ladder(frame[name], (Generalize(column=name, hierarchy=Dates(), level="year"),))
        for name in ("admitted", "discharged")
    ]
    found = Giveaways([*years, Ladder(frame["status"], ())], [pl.Series("income", income)])
    assert set(found.importance((1, 0, 0))) == {"admitted", "status"}, "a day tells its year"
    assert "status" in found.importance((1, 1, 0)), "whoever has no income is a child"
    assert found.importance((1, 1, 0)).keys() & {"admitted", "discharged"}


def test_labels_of_a_rung_are_those_of_its_step() -> None:
    ladder = _ladder(pl.Series("code", ["a1", "a2", "b1", "b2"] * 3))
    assert [one.n_unique() for one in ladder.labels] == [4, 2, 1]
    assert ladder.labels[-1].null_count() == 12


@pytest.mark.parametrize("k", [3, 8])
def test_a_proposal_holds_at_once_and_keeps_what_can_be_kept(k: int) -> None:
    frame = _frame()
    roles = mv.Roles(quasi_identifiers=["age", "district", "town", "ward"], sensitive=["icd"])
    found = mv.propose(frame, roles, k=k, seed=1)
    assert found.release.holds
    shown = [column.name for column in found.columns if not column.gone]
    assert len(shown) >= 2
    # As an intruder completes it: wards by diagnoses, towns by districts.
    released = found.release.table.frame
    filled = released.with_columns(
        *([pl.Series("ward", frame["ward"])] if "ward" in shown else []),
    )
    sizes = filled.group_by([name for name in shown if name in filled.columns]).len()["len"]
    assert int(sizes.to_numpy().min()) >= k
