"""Blocks: the headings, paragraphs, tables and figures of a page, in their order."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser

HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 3, "summary": 3}
_PARAGRAPHS = {"p", "li", "dt", "dd", "figcaption", "div", "section", "header", "footer", "details"}
_SKIPPED = {"style", "script", "title", "head", "nav", "button"}


@dataclass(frozen=True)
class Block:
    """One piece of a page."""

    kind: str
    """``heading``, ``text``, ``item``, ``table`` or ``figure``."""
    text: str = ""
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()
    """Cells of a table, its heads first."""
    svg: str = ""
    """A figure, as it stands in the page."""


@dataclass
class _Reader(HTMLParser):
    """Collects text until the block that it belongs to ends."""

    blocks: list[Block] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._text: list[str] = []
        self._skipped = 0
        self._svg: list[str] | None = None
        self._svg_depth = 0
        self._rows: list[list[str]] | None = None
        self._heading: str | None = None
        self._item = False
        self._named = False  # whether a name has ended and nothing but its remark follows
        self._remark = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._remark = tag == "small"
        if tag in _SKIPPED:
            self._skipped += 1
        elif tag == "code" and self._named:
            self._text.append(", ")  # names in a row have frames on a screen, and commas in print
        elif self._svg is not None or tag == "svg":
            self._draw(tag, attrs)
        elif tag == "table":
            self._end()
            self._rows = []
        elif tag == "tr" and self._rows is not None:
            self._rows.append([])
        elif tag in ("td", "th"):
            self._take_text()
        elif self._rows is not None or tag in ("br", "small", "span"):
            self._text.append(" ")
        elif tag == "dd":
            self._text.append(": ")
        elif tag in HEADINGS or tag in _PARAGRAPHS:
            self._end()
            self._heading = tag if tag in HEADINGS else None
            self._item = tag == "li"

    def handle_endtag(self, tag: str) -> None:
        self._remark = False
        self._named = self._named or tag == "code"
        if tag in _SKIPPED:
            self._skipped -= 1
        elif self._svg is not None:
            self._svg.append(f"</{tag}>")
            self._svg_depth -= tag == "svg"
            if not self._svg_depth:
                self.blocks.append(Block("figure", svg="".join(self._svg)))
                self._svg = None
        elif tag in ("td", "th") and self._rows:
            self._rows[-1].append(self._take_text())
        elif tag == "table" and self._rows is not None:
            rows = tuple(tuple(row) for row in self._rows if row)
            self.blocks += [Block("table", rows=rows)] if rows else []
            self._rows = None
        elif (tag in HEADINGS or tag in _PARAGRAPHS) and tag != "dt":
            self._end()

    def handle_data(self, data: str) -> None:
        if self._svg is not None:
            self._svg.append(data.replace("&", "&amp;").replace("<", "&lt;"))
        elif not self._skipped:
            self._text.append(data)
            self._named = self._named and (self._remark or not data.strip())

    def _draw(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag of a figure as it is."""
        self._end()
        self._svg = self._svg if self._svg is not None else []
        self._svg_depth += tag == "svg"
        said = "".join(f' {name}="{escape(value or "")}"' for name, value in attrs)
        self._svg.append(f"<{tag}{said}>")

    def _take_text(self) -> str:
        text = " ".join("".join(self._text).split()).replace(" :", ":").replace(" ,", ",")
        self._text.clear()
        self._named = False
        return text

    def _end(self) -> None:
        """Close the block that text was collected for."""
        if self._rows is not None:
            return
        text = self._take_text()
        if text and self._heading:
            self.blocks.append(Block("heading", text, HEADINGS[self._heading]))
        elif text:
            self.blocks.append(Block("item" if self._item else "text", text))
        self._heading, self._item = None, False


def blocks_of(page: str) -> tuple[Block, ...]:
    """The blocks of an HTML page.

    >>> [(one.kind, one.text) for one in blocks_of("<h1>Report</h1><p>All <b>good</b>.</p>")]
    [('heading', 'Report'), ('text', 'All good.')]
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    reader._end()  # noqa: SLF001  text after the last tag
    return tuple(reader.blocks)
