"""Labelled codes from file to file, read back by pyreadstat alone."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pyreadstat
import pytest

import microveil as mv
from microveil.app import run_file
from microveil.methods.parts.value_text import value_text
from microveil.release.coding import make_codebook

N = 120
LABELS: dict[str, dict[Any, str]] = {
    "marital": {1: "Single", 2: "Married", 3: "Widowed", 4: "Divorced", 98: "Refused"},
    "sex": {1: "male", 2: "female"},
}
KINDS = {"none": (), "one": (98,), "two": (98, 99)}
"""Kinds of missing in the file."""
STEPS: dict[str, dict[str, Any]] = {
    "generalize": {
        "method": "generalize",
        "column": "age",
        "hierarchy": {"hierarchy": "intervals", "width": 20},
        "level": 1,
    },
    "group_rare": {"method": "group_rare", "columns": ["marital"], "min_count": 20},
    "top_bottom_code": {"method": "top_bottom_code", "columns": ["marital"], "top": 3},
    "mondrian": {"method": "mondrian", "k": 2, "categories": ["marital"]},
    "local_suppression": {"method": "local_suppression", "k": 2},
}
SOURCES = [".sav", ".dta"]


def survey(path: Path, kinds: tuple[int, ...]) -> None:
    """A file with labelled codes, some of which are declared missing."""
    marital: list[Any] = [1 + (i % 4 if i % 9 else 3) for i in range(N)]
    for place, kind in enumerate(kinds):
        for i in range(place, N, 10):
            marital[i] = kind
    ages = [20 + i * 7 % 60 for i in range(N)]
    sexes = [1 + i % 2 for i in range(N)]
    data = {"age": ages, "marital": marital, "sex": sexes, "pay": [i / 4 for i in range(N)]}
    labels = {name: dict(codes) for name, codes in LABELS.items()}
    if path.suffix == ".sav":
        frame = pl.DataFrame(data)
        shown = dict.fromkeys(("age", "marital", "sex"), "F3.0")
        pyreadstat.write_sav(
            frame, str(path), variable_value_labels=labels, variable_format=shown,
            missing_ranges={"marital": list(kinds)} if kinds else None,
            column_labels={"marital": "Marital status"},
        )  # fmt: skip
        return
    letters = dict(zip((98, 99), "ab", strict=True))
    data["marital"] = [letters.get(one, one) for one in marital]
    refused = labels["marital"].pop(98)
    labels["marital"] |= {"a": refused} if kinds else {}
    columns = [
        pl.Series(name, cells, dtype=pl.Object if name == "marital" and kinds else None)
        for name, cells in data.items()
    ]
    pyreadstat.write_dta(
        pl.DataFrame(columns), str(path), variable_value_labels=labels,
        missing_user_values={"marital": [letters[one] for one in kinds]} if kinds else None,
        column_labels={"marital": "Marital status"},
    )  # fmt: skip


def read_alone(path: Path) -> tuple[dict[str, list[Any]], Any]:
    """Cells and metadata, by pyreadstat, with kinds of missing as they are."""
    read = pyreadstat.read_sav if path.suffix == ".sav" else pyreadstat.read_dta
    frame, found = read(str(path), output_format="polars", user_missing=True)
    return {name: frame[name].to_list() for name in frame.columns}, found


def recipe(*steps: str, k: int = 2) -> mv.Recipe:
    roles = {"quasi_identifiers": ["age", "marital", "sex"], "insensitive": ["pay"]}
    return mv.Recipe.parse(
        {
            "roles": roles,
            "steps": [STEPS[one] for one in steps],
            "require": [{"model": "k_anonymity", "k": k}] if k > 1 else [],
        }
    )


def told(cells: list[Any], labels: dict[Any, str]) -> list[str]:
    """Each cell as a reader of the file sees it."""
    plain = [f"{cell:g}" if isinstance(cell, int | float) else "" for cell in cells]
    return [labels.get(cell, text) for cell, text in zip(cells, plain, strict=True)]


@pytest.mark.parametrize(
    ("source", "target", "kinds", "step"), list(product(SOURCES, SOURCES, KINDS, STEPS))
)
def test_recoded_keys_stay_numbers_with_labels(
    source: str, target: str, kinds: str, step: str, tmp_path: Path
) -> None:
    survey(tmp_path / f"in{source}", KINDS[kinds])
    out = tmp_path / f"out{target}"
    steps = [step, "local_suppression"] if step != "local_suppression" else [step]
    done = run_file(recipe(*steps), tmp_path / f"in{source}", out, keep_order=True, seed=1)
    assert done.holds
    cells, found = read_alone(out)
    assert found.column_names_to_labels["marital"] == "Marital status"
    labels = {name: dict(codes) for name, codes in found.variable_value_labels.items()}
    release = mv.run(recipe(*steps), mv.read(tmp_path / f"in{source}"), seed=1)
    for name in ("age", "marital", "sex"):
        assert found.readstat_variable_types[name] != "string"
        known = labels.get(name, {})
        meant = value_text(release.table.frame[name]).to_list()
        for cell, label in zip(told(cells[name], known), meant, strict=True):
            if label is not None and not label.isdigit():
                assert cell.startswith(label)  # "[20, 40)", "other", "{1, 2}: Single; Married"
            elif label is not None:
                assert cell == LABELS.get(name, {}).get(int(label), label)
    rows = list(zip(*(map(str, cells[name]) for name in ("age", "marital", "sex")), strict=True))
    assert min(rows.count(row) for row in rows) >= 2


@pytest.mark.parametrize(("source", "target"), list(product(SOURCES, SOURCES)))
def test_kinds_of_missing_stay_apart_where_no_requirement_forbids_it(
    source: str, target: str, tmp_path: Path
) -> None:
    survey(tmp_path / f"in{source}", KINDS["two"])
    out = tmp_path / f"out{target}"
    run_file(recipe("group_rare", k=1), tmp_path / f"in{source}", out, keep_order=True)
    cells, found = read_alone(out)
    labels = dict(found.variable_value_labels["marital"])
    kinds = ["a", "b"] if target == ".dta" else [98.0, 99.0]
    if (source, target) == (".dta", ".sav"):
        (declared,) = found.missing_ranges.values()
        kinds = sorted(one["lo"] for one in declared)
    assert [cells["marital"].count(kind) for kind in kinds] == [N // 10, N // 10]
    assert labels[kinds[0]] == "Refused"
    assert None not in cells["marital"]


def test_kinds_of_missing_that_a_step_moves_are_one(tmp_path: Path) -> None:
    survey(tmp_path / "in.sav", KINDS["two"])
    moved = mv.Recipe.parse(
        {
            "roles": {"quasi_identifiers": ["age"], "insensitive": ["marital", "sex", "pay"]},
            "steps": [{"method": "permute", "columns": ["marital"]}],
        }
    )
    done = run_file(moved, tmp_path / "in.sav", tmp_path / "out.sav")
    cells, _ = read_alone(tmp_path / "out.sav")
    assert cells["marital"].count(None) == 2 * N // 10
    assert "Kinds of missing" in " ".join(done.written[0].changed)


def test_labels_too_long_for_a_package_leave_the_column_text() -> None:
    texts = pl.Series(["1", "x" * 200])
    assert make_codebook(texts, {}, "sav") is None
    assert make_codebook(texts, {}, "dta") is not None


def test_new_codes_never_take_the_place_of_known_ones() -> None:
    book = make_codebook(pl.Series(["1", "9", "other", "[2, 5)"]), {9: "nine", 11: "eleven"}, "sav")
    assert book is not None
    assert set(book.codes.values()).isdisjoint({11})
    assert book.labels[9] == "nine"


def test_a_released_file_is_compared_by_its_labels(tmp_path: Path) -> None:
    from microveil.files.reading import read_released

    survey(tmp_path / "in.sav", ())
    run_file(recipe("generalize"), tmp_path / "in.sav", tmp_path / "out.sav", seed=1)
    before, labels = mv.read_labelled(tmp_path / "in.sav")
    after = read_released(tmp_path / "out.sav", labels)
    assert before.schema["age"].is_integer()
    assert set(after["age"].drop_nulls().unique()) == {"[20, 40)", "[40, 60)", "[60, 80)"}
    assert after["marital"].dtype.is_numeric()
