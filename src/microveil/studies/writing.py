"""A study's result as files: Markdown, JSON, and its figures as SVG."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from microveil.files import write_text
from microveil.studies.base import StudyResult
from microveil.studies.cells import Cell, Experiment, Mark

SIGNS: Mapping[Mark, str] = {
    "equal": "=",
    "within error": "≈",
    "differs": "≠",
    "not compared": "vs",
    "new": "·",
}
"""One sign per mark, for tables of many cells."""


def write_study(result: StudyResult, folder: str | Path, *, figures: bool = True) -> list[Path]:
    """Write ``NAME.md``, ``NAME.json`` and the figures into a folder; tell what was written."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    pictures = _draw(result, folder) if figures else []
    page, data = folder / f"{result.name}.md", folder / f"{result.name}.json"
    write_text(to_markdown(result, [path.name for path in pictures]), page)
    write_text(json.dumps(result.to_dict(), ensure_ascii=False, indent=1) + "\n", data)
    return [page, data, *pictures]


def _draw(result: StudyResult, folder: Path) -> list[Path]:
    from microveil.plots import save_svg

    return [
        save_svg(draw(), folder / f"{result.name}_{name}.svg")
        for name, draw in result.figures.items()
    ]


LONGEST = 24
"""Rows of a table that are shown; a longer one is folded."""


def to_markdown(result: StudyResult, pictures: Sequence[str] = ()) -> str:
    """A page of the study: the document, what became of it, figures, then every table."""
    how = ("quick", " --quick") if result.quick else ("full", "")
    run = f"A {how[0]} run of `microveil study {result.name}{how[1]}`; {legend(result)}"
    about = result.about
    parts = [f"# {result.title}", result.document, about.system]
    parts += [f"**{about.headline}**"] if about.headline else []
    if about.ours:
        parts.append(_table(("theirs", "ours"), list(about.ours.items())))
    parts.append(run)
    if about.interpretations:
        parts += [
            "## How the document was read",
            "\n".join(f"- {one}" for one in about.interpretations),
        ]
    if pictures:
        parts += ["## Figures", *(_picture(result, name) for name in pictures)]
    parts += map(_section, result.experiments)
    return "\n\n".join(part for part in parts if part) + "\n"


def _picture(result: StudyResult, name: str) -> str:
    """A figure with its caption: that of the longest beginning of its name."""
    stem = name.removeprefix(f"{result.name}_").rsplit(".", 1)[0]
    fitting = [start for start in result.about.captions if stem.startswith(start)]
    caption = result.about.captions[max(fitting, key=len)] if fitting else stem.replace("_", " ")
    return f"![{caption}]({name})\n\n*{caption}*"


def legend(result: StudyResult) -> str:
    """How many cells have each mark, in words."""
    counts = ", ".join(
        f"{count} {'different' if mark == 'differs' else mark} ({SIGNS[mark]})"
        for mark, count in result.counts().items()
    )
    return f"{sum(result.counts().values())} cells: {counts}."


def _section(experiment: Experiment) -> str:
    parts = [f"## {experiment.title}", f"*{experiment.source}.* {experiment.note}".strip()]
    rows = table_rows(experiment)
    table = _table(columns(experiment), rows)
    if len(rows) > LONGEST:
        summary = f"<summary>All {len(rows)} rows</summary>"
        table = f'<details markdown="1">{summary}\n\n{table}\n\n</details>'
    parts.append(table)
    parts += [f"- ≠ {reason}" for reason in reasons(experiment)]
    return "\n\n".join(part for part in parts if part)


def columns(experiment: Experiment) -> list[str]:
    """Heads of the experiment's table: the places of its rows, then its quantities."""
    return [*_places(experiment), *dict.fromkeys(cell.quantity for cell in experiment.cells)]


def table_rows(experiment: Experiment) -> list[list[str]]:
    """One row of text per place, one entry per quantity."""
    places, heads = _places(experiment), columns(experiment)
    rows: dict[tuple[str, ...], list[str]] = {}
    for cell in experiment.cells:
        place = tuple(_text(cell.where.get(name, "")) for name in places)
        row = rows.setdefault(place, [*place, *[""] * (len(heads) - len(places))])
        row[heads.index(cell.quantity, len(places))] = _entry(cell)
    return list(rows.values())


def _places(experiment: Experiment) -> list[str]:
    return list(dict.fromkeys(name for cell in experiment.cells for name in cell.where))


def _entry(cell: Cell) -> str:
    """Ours, the mark, the published number: ``0.6897 ± 0.008 ≈ .6910``."""
    ours = number(cell.ours) + (f" ± {round_digits(cell.error)}" if cell.error else "")
    return ours if cell.published is None else f"{ours} {SIGNS[cell.mark]} {cell.published}"


def number(value: float) -> str:
    """A number for a reader: six digits that count, whole ones without a point.

    >>> number(34464.0), number(0.000949312), number(2211680.4), round_digits(4713.0)
    ('34,464', '0.000949312', '2,211,680', '4,700')
    """
    if float(value).is_integer() and abs(value) < 1e15:  # noqa: PLR2004  beyond, not all are whole
        return f"{int(value):,}"
    return round_digits(value, 6)


def round_digits(value: float, digits: int = 2) -> str:
    """A number with so many digits that count; no power of ten where zeros can be read."""
    short = float(f"{value:.{digits}g}")
    return f"{short:,.0f}" if 10**digits <= abs(short) < 1e15 else f"{short:,.{digits}g}"  # noqa: PLR2004


def _text(value: str | float) -> str:
    return number(value) if isinstance(value, int | float) else value


def reasons(experiment: Experiment) -> list[str]:
    """Each reason once, with the number of cells it is given for."""
    given: dict[str, int] = {}
    for cell in experiment.cells:
        if cell.mark == "differs":
            given[cell.why or "Not explained."] = given.get(cell.why or "Not explained.", 0) + 1
    return [f"{why} ({count} {'cell' if count == 1 else 'cells'})" for why, count in given.items()]


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)
