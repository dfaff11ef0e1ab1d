"""Setting: the blocks of a page on sheets of A4, from top to bottom."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from importlib.util import find_spec

from microveil.reports.contents.pdf.blocks import Block, blocks_of
from microveil.reports.contents.pdf.document import HEIGHT, WIDTH, Document, Picture, escape_text
from microveil.reports.contents.pdf.fonts import plain_text, width_of, wrap_text

MARGIN = 50.0
INSIDE = WIDTH - 2 * MARGIN
SIZES = {1: 18.0, 2: 14.0, 3: 11.5}
TEXT, CELL = 10.0, 8.5
LEADING = 1.35
PICTURE_SCALE = 2.0
TALLEST = 300.0


def pdf_of(page: str, title: str) -> bytes:
    """An HTML page of ours as a PDF file; figures need the plots extra.

    >>> pdf_of("<h1>Report</h1><p>All good.</p>", "Report")[:8]
    b'%PDF-1.4'
    """
    setter = _Setter(Document(plain_text(title)))
    for block in blocks_of(page):
        setter.put(block)
    return setter.finish()


@dataclass
class _Setter:
    """Where the next line goes."""

    document: Document
    commands: list[str] = field(default_factory=list)
    y: float = HEIGHT - MARGIN

    def put(self, block: Block) -> None:
        if block.kind == "table":
            self._put_table(block.rows)
        elif block.kind == "figure":
            self._put_figure(block.svg)
        elif block.kind == "heading":
            self.y -= 8
            self._put_lines(block.text, SIZES[block.level], bold=True)
        else:
            indent = 12.0 if block.kind == "item" else 0.0
            text = f"• {block.text}" if indent else block.text
            self._put_lines(text, TEXT, indent=indent)
            self.y -= 3

    def _put_lines(
        self, text: str, size: float, *, bold: bool = False, indent: float = 0.0
    ) -> None:
        for line in wrap_text(plain_text(text), INSIDE - indent, size, bold=bold):
            self._make_room(size * LEADING)
            self.y -= size * LEADING
            self._write(MARGIN + indent, self.y, line, size, bold=bold)

    def _put_table(self, rows: tuple[tuple[str, ...], ...]) -> None:
        n_columns = max(len(row) for row in rows)
        widths = _column_widths(rows, n_columns)
        for place, row in enumerate(rows):
            cells = [
                wrap_text(plain_text(cell), width - 6, CELL, bold=place == 0)
                for cell, width in zip(row, widths, strict=False)
            ]
            height = max(map(len, cells), default=1) * CELL * LEADING + 3
            self._make_room(min(height, HEIGHT - 2 * MARGIN))
            x = MARGIN
            for lines, width in zip(cells, widths, strict=False):
                for n, line in enumerate(lines):
                    y = self.y - (n + 1) * CELL * LEADING
                    if y > MARGIN / 2:
                        self._write(x, y, line, CELL, bold=place == 0)
                x += width
            self.y -= height
            self.commands.append(
                f"0.8 G 0.4 w {MARGIN:.1f} {self.y:.1f} m {WIDTH - MARGIN:.1f} {self.y:.1f} l S"
            )
        self.y -= 6

    def _put_figure(self, svg: str) -> None:
        picture = _drawn_picture(svg)
        if picture is None:
            return
        width = min(INSIDE, picture.width / PICTURE_SCALE)
        height = width * picture.height / picture.width
        if height > TALLEST:
            width, height = width * TALLEST / height, TALLEST
        self._make_room(height + 6)
        self.y -= height
        name = f"P{len(self.document.pictures)}"
        self.document.pictures.append(picture)
        self.commands.append(
            f"q {width:.1f} 0 0 {height:.1f} {MARGIN:.1f} {self.y:.1f} cm /{name} Do Q"
        )
        self.y -= 6

    def _make_room(self, height: float) -> None:
        if self.y - height < MARGIN:
            self._turn()

    def _turn(self) -> None:
        """Number the sheet, and take a new one."""
        number = str(len(self.document.pages) + 1)
        self._write(WIDTH - MARGIN - width_of(number, 8), MARGIN / 2, number, 8, bold=False)
        self.document.pages.append(self.commands)
        self.commands, self.y = [], HEIGHT - MARGIN

    def _write(self, x: float, y: float, text: str, size: float, *, bold: bool) -> None:
        font = "F2" if bold else "F1"
        told = escape_text(text)
        self.commands.append(f"BT /{font} {size:g} Tf {x:.1f} {y:.1f} Td ({told}) Tj ET")

    def finish(self) -> bytes:
        self._turn()
        return self.document.to_bytes()


def _column_widths(rows: tuple[tuple[str, ...], ...], n_columns: int) -> list[float]:
    """Room for each column by its longest cell, but for none more than half the sheet."""
    longest = [
        min(
            max(width_of(row[i], CELL, bold=row is rows[0]) for row in rows if i < len(row)) + 8,
            INSIDE / 2,
        )
        for i in range(n_columns)
    ]
    least = [
        max((width_of(word, CELL, bold=True) for word in rows[0][i].split()), default=0) + 8
        if i < len(rows[0])
        else 0.0
        for i in range(n_columns)
    ]
    spare = INSIDE - sum(longest)
    if spare >= 0:
        return [width + spare / n_columns for width in longest]
    room = max(INSIDE - sum(least), 1.0)
    wanted = [max(width - floor, 0.0) for width, floor in zip(longest, least, strict=True)]
    share = room / max(sum(wanted), 1.0)
    return [floor + want * share for floor, want in zip(least, wanted, strict=True)]


def _drawn_picture(svg: str) -> Picture | None:
    if find_spec("vl_convert") is None:
        return None
    import vl_convert

    jpeg = bytes(vl_convert.svg_to_jpeg(svg, scale=PICTURE_SCALE, quality=90))
    size = jpeg_size(jpeg)
    return None if size is None else Picture(jpeg, *size)


def jpeg_size(content: bytes) -> tuple[int, int] | None:
    """Width and height of a JPEG, from its frame header."""
    at = 2
    while at + 9 < len(content):
        marker, length = content[at + 1], struct.unpack(">H", content[at + 2 : at + 4])[0]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):  # noqa: PLR2004  markers
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            return width, height
        at += 2 + length
    return None
