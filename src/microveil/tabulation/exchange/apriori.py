"""τ-Argus' a-priori files (``.hst``): statuses and costs of cells that are given beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from microveil.errors import FileError, system_reason
from microveil.files import write_text
from microveil.tabulation.statuses import CellStatus, GivenStatus

LETTERS: dict[str, GivenStatus] = {"u": "unsafe", "p": "published", "s": "safe", "m": "suppressed"}
COST = "c"


def read_apriori(
    path: str | Path, by: Sequence[str], *, table: str | None = None, total_code: str = "Total"
) -> list[CellStatus]:
    """The statuses of a file: a line for each cell, its codes in the order of ``by``, a letter.

    u is unsafe, p published in any case, s safe, m suppressed; c is followed by a cost.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FileError(
            "{path}: cannot be read ({reason}).", path=path, reason=system_reason(error)
        ) from None
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        fields = [one.strip().strip('"') for one in line.split(";" if ";" in line else ",")]
        codes, rest = fields[: len(by)], [one for one in fields[len(by) :] if one]
        cell = {
            name: code
            for name, code in zip(by, codes, strict=False)
            if code not in ("", total_code)
        }
        letter = rest[0].lower() if rest else ""
        if letter == COST and len(rest) > 1:
            found.append(CellStatus(cell=cell, cost=float(rest[1]), table=table))
        elif letter in LETTERS:
            found.append(CellStatus(cell=cell, status=LETTERS[letter], table=table))
        else:
            raise FileError(
                "{path}: line {line} has no status u, p, s, m or c after its {n} codes.",
                path=path,
                line=number,
                n=len(by),
            )
    return found


def write_apriori(
    statuses: Sequence[CellStatus],
    path: str | Path,
    by: Sequence[str],
    *,
    total_code: str = "Total",
) -> None:
    """Write statuses as τ-Argus reads them."""
    letters = {status: letter for letter, status in LETTERS.items()}
    lines = []
    for one in statuses:
        codes = ";".join(one.cell.get(name, total_code) for name in by)
        if one.status is not None:
            lines.append(f"{codes};{letters[one.status]}")
        if one.cost is not None:
            lines.append(f"{codes};{COST};{one.cost:g}")
    write_text("\n".join(lines) + "\n", path)
