"""Fonts: how wide text is in Helvetica, which every reader of PDF files has."""

from __future__ import annotations

from microveil.reports.contents.pdf.letters import in_western_letters

_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
"""Widths of the characters from the blank to the tilde, in thousandths of the size."""
_OTHER = 600
_BOLD = 1.07
"""How much wider bold text is, at most, on average."""
_PLAIN = {
    "✔": "+", "✓": "+", "✘": "x", "✗": "x",
    "≥": ">=", "≤": "<=", "−": "-", "→": "->", "←": "<-", "∅": "(missing)",
    "ε": "epsilon", "δ": "delta", "α": "alpha", "β": "beta", "≈": "~", "√": "sqrt", "\u202f": " ",
    "\u00a0": " ", "⁻": "^-",
}  # fmt: skip
"""Characters that the fonts of every reader lack, in those they have."""


def plain_text(text: str) -> str:
    """The text in the characters of Western Europe; other alphabets are written in Latin letters.

    >>> plain_text("✔ ≥ 5 %, año")
    '+ >= 5 %, año'
    """
    return in_western_letters("".join(_PLAIN.get(letter, letter) for letter in text))


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a line is, in points.

    >>> round(width_of("k = 5", 10), 1)
    22.0
    """
    units = sum(
        _WIDTHS[ord(one) - 32] if 32 <= ord(one) < 127 else _OTHER  # noqa: PLR2004  printable
        for one in text
    )
    return units * size / 1000 * (_BOLD if bold else 1.0)


def wrap_text(text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """The lines that a text takes; a word that is too long is broken."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if width_of(longer, size, bold=bold) <= width:
            line = longer
            continue
        lines += [line] if line else []
        line = word
        while width_of(line, size, bold=bold) > width and len(line) > 1:
            fits = max(
                (n for n in range(1, len(line)) if width_of(line[:n], size, bold=bold) <= width),
                default=1,
            )
            lines.append(line[:fits])
            line = line[fits:]
    return [*lines, line] if line else lines or [""]
