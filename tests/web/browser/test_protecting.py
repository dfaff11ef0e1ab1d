"""Recipes found, steps and roles dragged, large lattices walked through."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

from microveil.web.project.examples import patients
from tests.web.browser.chromium import settled

if TYPE_CHECKING:
    from playwright.sync_api import Page


def _open(page: Page, folder: Path, *names: str) -> None:
    path = folder / "people.csv"
    patients(120).select(names).write_csv(path)
    page.set_input_files("#data-file", path)
    page.get_by_role("heading", name="people.csv").wait_for()
    settled(page)


def _keys(page: Page, address: str, *names: str) -> None:
    page.goto(f"{address}/roles")
    for name in names:
        page.locator(f"article[data-name='{name}']").get_by_label("Key").check()
    settled(page)


@pytest.mark.slow
def test_the_best_recipe_is_found_and_taken_over_by_a_click_on_the_map(
    page: Page, address: str, tmp_path: Path
) -> None:
    _open(page, tmp_path, "sex", "age", "disease")
    _keys(page, address, "sex", "age")
    page.goto(f"{address}/protect")
    page.get_by_label("k to require").fill("3")
    page.get_by_role("button", name="Find the best recipe").click()
    page.get_by_text(re.compile(r"The best of \d+ candidates")).wait_for()
    dots = page.locator(".ru-plot button.dot")
    assert dots.count() > 3
    page.locator(".ru-plot button.dot.now").click()
    page.get_by_text("k-anonymity (k = 3)").wait_for()
    page.get_by_text(re.compile(r"k: 1 → [3-9]")).first.wait_for()
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("No step yet").wait_for()


@pytest.mark.slow
def test_roles_and_steps_are_moved_by_dragging(page: Page, address: str, tmp_path: Path) -> None:
    expect = pytest.importorskip("playwright.sync_api").expect
    _open(page, tmp_path, "sex", "age", "visits", "cost")
    page.goto(f"{address}/roles")
    card = page.locator("article[data-name='cost']")
    card.drag_to(page.locator(".lane").nth(3))
    expect(card.get_by_label("Harmless")).to_be_checked()
    page.goto(f"{address}/protect")
    settled(page)
    for method in ("drop", "round"):
        family = "Coarser values" if method == "round" else "Names and numbers"
        page.locator("summary", has_text=family).click()
        page.locator(f"[data-key='method {method}']").click()
        page.locator("[data-key='form columns cost']").check()
        if method == "round":
            page.locator("[data-key='form base']").fill("10")
        else:
            page.locator("[data-key='form columns cost']").uncheck()
            page.locator("[data-key='form columns visits']").check()
        page.get_by_role("button", name="Add the step").click()
        settled(page)
    steps = page.locator("li.step")
    assert "1. Leave columns out" in steps.nth(0).inner_text()
    steps.nth(1).drag_to(steps.nth(0))
    page.get_by_text("1. Round").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("1. Leave columns out").wait_for()


@pytest.mark.slow
def test_any_node_of_a_large_lattice_can_be_looked_at_and_taken(
    page: Page, address: str, tmp_path: Path
) -> None:
    names = ("sex", "age", "postcode", "occupation", "visits", "cost")
    _open(page, tmp_path, *names)
    _keys(page, address, *names)
    page.goto(f"{address}/protect")
    page.locator("summary", has_text="Search for the best").click()
    page.locator("[data-key='method optimal_generalization']").click()
    page.locator("[data-key='form k']").fill("3")
    page.locator("[data-key='form suppression_share']").fill("0.3")
    page.get_by_role("button", name="Add the step").click()
    page.locator("summary", has_text=re.compile(r"All [\d,]+ generalisations")).click()
    highest = page.locator("[data-key='level 0 age'] option").last.get_attribute("value")
    page.locator("[data-key='level 0 age']").select_option(highest)
    page.get_by_role("button", name="Look at these levels").click()
    page.get_by_text(re.compile(f"Looked at: .*age {highest}")).wait_for()
    page.locator("[data-key^='go 0']").first.click()
    page.get_by_text(re.compile("Looked at: ")).wait_for()
    settled(page)
    taken = page.get_by_role("button", name="Take this one")
    if taken.is_enabled():
        taken.click()
        settled(page)
        assert "levels" in page.locator("li.step").first.inner_text()


@pytest.mark.slow
def test_a_table_of_a_database_is_read_and_its_password_is_nowhere(
    page: Page, tmp_path: Path
) -> None:
    path = tmp_path / "people.db"
    for name in ("people", "towns"):
        pl.DataFrame({"age": [31, 45], name: ["a", "b"]}).write_database(
            name, f"sqlite:///{path}", engine="sqlalchemy"
        )
    page.locator("summary", has_text="Or read a table from a database").click()
    page.locator("[data-key='database password']").fill("very secret")
    page.locator("[data-key='database address']").fill(str(path))
    page.get_by_role("button", name="Show the tables").click()
    page.locator("[data-key='database table']").select_option("towns")
    page.get_by_role("button", name="Read the table").click()
    page.get_by_role("heading", name="people.db?table=towns").wait_for()
    settled(page)
    page.reload()
    page.wait_for_selector("h1")
    assert "very secret" not in page.content()
