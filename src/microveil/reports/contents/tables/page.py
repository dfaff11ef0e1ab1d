"""Protected tables as one page: branches fold, nothing is fetched and no script runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files

from microveil.display import number, percent
from microveil.reports.contents.tables.layout import SUPPRESSED, Layout, Line
from microveil.reports.markup import Markup, element, together
from microveil.reports.page import POLICY
from microveil.tabulation.losses import LevelLoss

STYLE = """
td.hidden{background:#d9d9d9;text-align:center} td.n{text-align:right}
details{margin-left:1.2em} summary{cursor:pointer}
.bar{background:#e4e4e4;width:16em;height:.8em;display:inline-block}
.bar span{background:#2a6f97;height:.8em;display:block}
"""


def tables_page(
    layouts: Sequence[Layout], losses: Sequence[LevelLoss], notes: Sequence[Sequence[str]]
) -> str:
    """The page: each table, what was lost by level, and the rules."""
    style = files("microveil.reports").joinpath("style.css").read_text("utf-8")
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", Markup("Tables")),
        element("style", Markup(style + STYLE)),
    )
    main = element(
        "main",
        element("h1", Markup("Tables")),
        together(
            *(
                _section(one, [loss for loss in losses if loss.table == one.title])
                for one in layouts
            )
        ),
        element("h2", Markup("Protection")),
        _grid(("", ""), [list(line) for line in notes]),
    )
    return f"<!doctype html>\n{element('html', head, element('body', main), lang='en')}\n"


def _section(layout: Layout, losses: Sequence[LevelLoss]) -> Markup:
    return element(
        "section",
        element("h2", _plain(layout.title)),
        _tree(layout),
        element("h3", Markup("What is published, by level")),
        _losses(losses),
    )


def _plain(text: str) -> Markup:
    """Text of the data, which is not translated."""
    from html import escape

    return Markup(escape(text))


def _tree(layout: Layout) -> Markup:
    """The table as its first variable branches: a branch folds with all that is below it."""
    blocks = list(_blocks(layout.lines))
    return _branch(layout, blocks, 0)[0]


def _blocks(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Lines of the same first code, which follow each other."""
    block: list[Line] = []
    for line in lines:
        if block and block[0].codes[0] != line.codes[0]:
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _branch(layout: Layout, blocks: list[list[Line]], start: int) -> tuple[Markup, int]:
    """One block with those below it, and where the next one begins."""
    block, at = blocks[start], start + 1
    parts: list[Markup] = []
    leaves: list[Line] = []
    while at < len(blocks) and blocks[at][0].depth > block[0].depth:
        below = at + 1 < len(blocks) and blocks[at + 1][0].depth > blocks[at][0].depth
        if below:
            part, at = _branch(layout, blocks, at)
            parts.append(part)
        else:
            leaves += blocks[at]
            at += 1
    lines = _lines(layout, [*block, *leaves])
    name = element("summary", _plain(block[0].codes[0]))
    return element("details", name, lines, together(*parts), open=block[0].depth == 0), at


def _lines(layout: Layout, lines: Sequence[Line]) -> Markup:
    head = element("tr", *(element("th", _plain(one)) for one in (*layout.down, *layout.across)))
    rows = [
        element(
            "tr",
            *(element("th", _plain(code)) for code in line.codes),
            *(_cell(value) for value in line.values),
        )
        for line in lines
    ]
    return element("table", element("thead", head), element("tbody", *rows))


def _cell(value: float | str | None) -> Markup:
    if value == SUPPRESSED:
        return element("td", Markup(SUPPRESSED), class_="hidden", title="confidential")
    return element("td", Markup("" if value is None else number(float(value))), class_="n")


def _losses(losses: Sequence[LevelLoss]) -> Markup:
    """A list and no table: a checker of outputs takes numbers of tables for counts of people."""
    return element(
        "ul",
        *(
            element(
                "li",
                Markup(
                    f"level {one.level}: {one.n_cells - one.n_suppressed:,} of {one.n_cells:,} "
                    f"cells published, {percent(one.value_share)} of the value "
                ),
                _bar(1 - one.n_suppressed / one.n_cells),
            )
            for one in losses
        ),
    )


def _bar(share: float) -> Markup:
    inner = element("span", style=f"width:{100 * share:.1f}%")
    return element("span", inner, class_="bar", title=percent(share))


def _grid(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Markup:
    lines = [element("tr", *(element("td", _plain(text)) for text in row)) for row in rows]
    del names
    return element("table", element("tbody", *lines))
