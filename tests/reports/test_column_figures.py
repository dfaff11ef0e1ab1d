from __future__ import annotations

import polars as pl

import microveil as mv
from microveil.reports.column_figures import changed_columns, column_figures


def release(*steps: mv.Method, **roles: list[str]) -> mv.Release:
    n = 60
    frame = pl.DataFrame(
        {
            "id": [f"p{i}" for i in range(n)],
            "age": [20 + i % 37 for i in range(n)],
            "pay": [1000.5 + 7 * i for i in range(n)],
            "town": ["a", "b", "c"] * (n // 3),
        }
    )
    recipe = mv.Recipe(roles=mv.Roles.parse(roles), steps=steps, undeclared="keep")
    return mv.run(recipe, frame, seed=1)


def test_columns_that_kept_least_come_first_and_removed_rows_change_none() -> None:
    some = release(mv.Round(columns=["age"], base=2), mv.Permute(columns=["pay"]))
    assert changed_columns(some) == ["pay", "age"]
    assert changed_columns(release(mv.Sample(share=0.5))) == []
    assert column_figures(release(mv.Sample(share=0.5))) == []


def test_figures_show_distributions_errors_and_correlations_but_no_ids() -> None:
    drawn = column_figures(
        release(mv.Permute(columns=["id"]), mv.Permute(columns=["pay"]), identifiers=["id"])
    )
    captions = [figure.caption for figure in drawn]
    assert captions[0].startswith("pay: ")
    assert not any(caption.startswith("id: ") for caption in captions)
    assert any("How far numbers moved" in caption for caption in captions)
    assert sum("correlations" in caption for caption in captions) == 3
    assert all(figure.svg.startswith("<svg") for figure in drawn)
