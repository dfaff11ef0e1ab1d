from __future__ import annotations

from pathlib import Path

import polars as pl

import microveil as mv
from tests.app.fitting.cases import ROLES, STEPS, people, recipe


def test_every_label_covers_the_value_it_stands_for() -> None:
    new = people(300, 3).with_row_index("id")
    fitted = mv.fit(recipe(STEPS["mondrian"]), people(200, 1))
    after = mv.run(fitted, new, seed=1).data
    joined = new.join(after, on="id", suffix="_label")
    for age, label in joined.select("age", "age_label").rows():
        low, high = label.strip("[]").split(", ") if "," in label else (label, label)
        assert int(low) <= age <= int(high)


def test_limits_by_share_and_frequent_categories_are_learnt() -> None:
    frame = pl.DataFrame({"pay": list(range(1, 101)), "pet": ["cat"] * 60 + ["dog"] * 39 + ["owl"]})
    text = """
steps:
  - {method: top_bottom_code, columns: [pay], top_share: 0.1, bottom_share: 0.05}
  - {method: group_rare, columns: [pet], min_count: 5}
undeclared: keep
"""
    protector = mv.Protector(mv.Recipe.from_yaml(text)).fit(frame)
    after = protector.transform({"pay": [-50, 50, 10**6], "pet": ["cat", "owl", "emu"]})
    assert after["pay"].to_list() == [6, 50, 90]
    assert after["pet"].to_list() == ["cat", "other", "other"]


def test_a_date_limit_is_learnt() -> None:
    days = pl.date_range(pl.date(2020, 1, 1), pl.date(2020, 1, 20), eager=True)
    text = "steps: [{method: top_bottom_code, columns: [day], top_share: 0.1}]\nundeclared: keep"
    protector = mv.Protector(mv.Recipe.from_yaml(text)).fit(pl.DataFrame({"day": days}))
    after = protector.transform(pl.DataFrame({"day": days.dt.offset_by("1y")}))
    assert str(after["day"].max()) == "2020-01-18"


def test_a_value_of_a_removed_record_is_not_in_what_was_learnt(tmp_path: Path) -> None:
    frame = people(100, 1).with_columns(
        town=pl.when(pl.int_range(pl.len()) == 7).then(pl.lit("Atlantis")).otherwise("town")
    )
    text = (
        f"{ROLES}steps: [{{method: suppress_records, k: 2, columns: [town]}}, {STEPS['mondrian']}]"
    )
    protector = mv.Protector(mv.Recipe.from_yaml(text)).fit(frame)
    path = protector.save(tmp_path / "fitted.yaml")
    assert "Atlantis" not in path.read_text(encoding="utf-8")
