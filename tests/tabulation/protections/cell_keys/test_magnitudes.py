from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.tabulation.protections.cell_keys.magnitudes import MagnitudeNoise
from tests.tabulation.protections.cell_keys.test_level_table import HANDBOOK


def firms(n: int = 400) -> pl.DataFrame:
    rng = np.random.default_rng(8)
    return pl.DataFrame(
        {
            "town": rng.choice(["a", "b", "c", "d"], n),
            "size": rng.choice(["s", "m", "l"], n),
            "kind": rng.choice(["x", "y"], n),
            "pay": rng.lognormal(3, 1, n).round(2),
            "key": rng.random(n),
        }
    )


def noisy(data: Any, by: list[str], **noise: Any) -> pl.DataFrame:
    protect = mv.CellKeys(record_key="key", magnitudes=noise)
    table = mv.Tabulation(by=by, value="pay")
    (frame,) = mv.tabulate(data, table, protect=protect).frames.values()
    return frame


@pytest.mark.parametrize(("share", "published"), [(0.5, 400.0), (0.6, 360.0)])
def test_the_handbook_s_look_up_of_a_sum(tmp_path: Path, share: float, published: float) -> None:
    """A sum of 300 with 200 as its largest contribution, and the cell key .8 (chapter 5.4)."""
    (tmp_path / "p.txt").write_text(HANDBOOK)
    data = {"town": ["a"] * 3, "pay": [200.0, 60.0, 40.0], "key": [0.9, 0.3, 0.6]}
    found = noisy(data, ["town"], share=share, table=str(tmp_path / "p.txt"))
    assert found["value"].to_list() == pytest.approx([published] * 2)


def test_the_same_contributors_have_the_same_noise_in_every_table_and_order() -> None:
    data = firms()
    noise = {"top": 3, "fading": (1, 0.5, 0.2)}
    one = noisy(data, ["town", "size"], **noise).filter(size="Total")
    mixed = data.sample(fraction=1.0, shuffle=True, seed=4)
    other = noisy(mixed, ["kind", "town"], **noise).filter(kind="Total")
    assert one["value"].to_list() == pytest.approx(other["value"].to_list(), rel=1e-12)


def test_a_record_of_zero_changes_no_noise() -> None:
    data = firms()
    more = pl.concat([data, data.head(5).with_columns(pay=pl.lit(0.0), key=pl.lit(0.37))])
    alike = [noisy(one, ["town"])["value"].to_list() for one in (data, more)]
    assert alike[0] == pytest.approx(alike[1])


def test_noise_stays_within_its_units_and_no_sum_falls_below_zero() -> None:
    data = firms(150)
    by = ["town", "size", "kind"]
    true = data.group_by(by).agg(pl.col("pay").sum(), pl.col("pay").max().alias("largest"))
    both = noisy(data, by, share=0.4, deviation=3, variance=1.0).join(true, on=by)
    apart = (both["value"] - both["pay"]).abs()
    assert (apart <= 3 * 0.4 * both["largest"] + 1e-9).all()
    assert (apart > 0).any()
    assert (both["value"] >= 0).all()


def test_shares_fall_from_the_flex_point_on() -> None:
    noise = MagnitudeNoise(share=0.3, large_share=0.03, flex_point=1000)
    shares = noise._shares(np.array([10.0, 1000.0, 1e4, 1e9]))
    assert shares[:2].tolist() == pytest.approx([0.3, 0.3])
    assert 0.03 < shares[2] < 0.3
    assert shares[3] == pytest.approx(0.03, rel=1e-3)


def test_a_sum_near_zero_of_large_contributions_is_perturbed_as_they_are() -> None:
    data = {"town": ["a"] * 4, "pay": [500.0, -500.0, 3.0, -3.0], "key": [0.1, 0.2, 0.3, 0.35]}
    found = noisy(data, ["town"], share=0.2)["value"]
    assert abs(found[0]) >= 0.2 * 500 * 0.5


def test_unsafe_cells_get_further_noise() -> None:
    data = firms(60)
    by = ["town", "size", "kind"]
    plain, more = (noisy(data, by, extra=extra) for extra in (0.0, 1.0))
    apart = (plain["value"] - more["value"]).abs() > 1e-9
    assert apart.any()
    assert set(plain.filter(apart)["status"]) == {"unsafe"}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"large_share": 0.05}, "go together"),
        ({"large_share": 0.5, "flex_point": 10}, "may not be above"),
        ({"top": 2, "fading": (1.0,)}, "one factor for each"),
        ({"top": 1, "fading": (1.5,)}, "between 0 and 1"),
    ],
)
def test_parameters_that_do_not_fit_are_named(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(mv.SpecError, match=sentence):
        MagnitudeNoise(**wrong)
