"""Linked tables in the app: what a draft decides is the recipe that runs."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import polars as pl

from microveil.linked import TableSet
from microveil.progress import silent
from microveil.web.project.linked_tables import (
    LinkedDraft,
    LinkedOpened,
    LinkedTable,
    LinkedWanted,
    open_tables,
    read_tables,
    run_tables,
    with_suggested_steps,
)
from tests.web.pages.test_linked import PATIENTS, VISITS

DAY = pl.Series("day", [dt.date(2024, 1, 1)] * 24)


def _opened() -> LinkedOpened:
    types = {"patients": PATIENTS, "visits": VISITS.with_columns(DAY)}
    roles = {"patients": {"name": "identifiers", "sex": "quasi_identifiers"}, "visits": {}}
    tables = tuple(
        LinkedTable(name, frame.height, {c: str(t) for c, t in frame.schema.items()}, roles[name])
        for name, frame in types.items()
    )
    return LinkedOpened(tables, ("visits.patient_id -> patients.id",))


def test_a_draft_leaves_names_out_shifts_dates_and_counts_what_is_known() -> None:
    draft = LinkedDraft.begin(_opened())
    assert (draft.people, draft.key, draft.children()) == ("patients", "id", ["visits"])
    recipe = draft.recipe()
    assert [step.kind() for step in recipe.tables["patients"].steps] == ["drop"]
    assert [step.kind() for step in recipe.tables["visits"].steps] == ["shift_dates"]
    assert recipe.people.quasi_identifiers == ("sex", "n_visits")
    draft.counted = []
    draft.roles["visits"]["ward"] = "quasi_identifiers"
    assert draft.recipe().people.quasi_identifiers == ("sex", "visits.ward")
    draft.links = []
    assert draft.children() == []


def test_suggested_steps_are_added_to_the_table_of_people() -> None:
    ages = PATIENTS.with_columns(age=pl.Series([20 + 3 * i for i in range(12)]))
    opened = _opened()
    draft = LinkedDraft.begin(opened)
    draft.k = 3
    draft.roles["patients"]["age"] = "quasi_identifiers"
    tables = TableSet({"patients": ages, "visits": VISITS.with_columns(DAY)})
    before = draft.recipe()
    after = with_suggested_steps(before, tables)
    assert len(after.tables["patients"].steps) > len(before.tables["patients"].steps)


def test_a_database_is_read_run_and_written_as_one(tmp_path: Path) -> None:
    source = tmp_path / "h.sqlite"
    for name, frame in (("patients", PATIENTS), ("visits", VISITS)):
        import microveil as mv

        mv.write(frame, f"sqlite:///{source}?table={name}")
    opened = open_tables(source, tmp_path / "read", silent)
    assert opened.links == ("visits.patient_id -> patients.id",)
    assert read_tables(tmp_path / "read", opened).tables["visits"].height == 24
    draft = LinkedDraft.begin(opened)
    draft.roles = {"patients": {"name": "identifiers", "sex": "quasi_identifiers"}, "visits": {}}
    wanted = LinkedWanted(tmp_path / "out", "sqlite")
    made = run_tables(tmp_path / "read", opened, draft.recipe(), wanted, silent)
    assert made.holds
    assert made.sizes == {"patients": (12, 12), "visits": (24, 24)}
    assert made.k == (6, 6)
    assert (tmp_path / "out" / "tables" / "released.sqlite").exists()
