"""Hierarchies as lists of codes with a mark per level: τ-Argus' ``.hrc`` and sdcHierarchies."""

from __future__ import annotations

import re
from typing import Any

from microveil.errors import HierarchyError
from microveil.files import write_text
from microveil.hierarchies.hierarchy import STAR, Hierarchy
from microveil.hierarchies.text_files import read_text
from microveil.hierarchies.trees import from_tree

MARK = "@"
_PAIR = re.compile(r'^"?(@+)"?[,;]"?(.*?)"?$')


def read_marked(path: str, names: tuple[str, ...] = ()) -> Hierarchy:
    """Read a file whose lines say by marks how deep a code stands."""
    return parse_marked(read_text(path), names, path)


def parse_marked(text: str, names: tuple[str, ...] = (), source: str = "hierarchy") -> Hierarchy:
    r"""Parse codes with marks; sdcHierarchies' lines (``@@;code``) have their total first.

    >>> parse_marked("North\n@1\n@2\nSouth\n@3\n").n_labels
    (3, 2, 1)
    """
    tree: dict[str, Any] = {}
    above: list[dict[str, Any]] = [tree]
    seen: set[str] = set()
    for number, (depth, code) in enumerate(_lines(text), 1):
        if depth >= len(above):
            raise HierarchyError(
                "{source}: code '{code}' in line {line} stands more than one level below the line "
                "before it.",
                source=source,
                code=code,
                line=number,
            )
        if code in seen:
            raise HierarchyError(
                "{source}: code '{code}' is listed twice, so that it would be above itself or in "
                "two branches.",
                source=source,
                code=code,
            )
        seen.add(code)
        del above[depth + 1 :]
        above.append(above[depth].setdefault(code, {}))
    return from_tree(_plain(tree), names, source)


def write_marked(hierarchy: Hierarchy, path: str) -> None:
    """Write a hierarchy as τ-Argus reads it: codes of the finest level last, marked ``@``."""
    lines: list[str] = []
    before: list[str] = []
    for row in hierarchy.text_rows():
        labels = [label for label in row[::-1] if label != STAR]
        chain = list(dict.fromkeys(labels))
        same = 0
        while same < min(len(chain) - 1, len(before)) and chain[same] == before[same]:
            same += 1
        lines += [MARK * depth + chain[depth] for depth in range(same, len(chain))]
        before = chain
    write_text("\n".join(lines) + "\n", path)


def _lines(text: str) -> list[tuple[int, str]]:
    """The depth and the code of each line; a single root is left out, it is the total."""
    found = []
    for line in text.splitlines():
        if not line.strip():
            continue
        pair = _PAIR.match(line.strip())
        marks, code = (pair[1], pair[2]) if pair else _split(line)
        found.append((len(marks) - (1 if pair else 0), code.rstrip()))
    roots = [code for depth, code in found if depth == 0]
    paired = any(_PAIR.match(line.strip()) for line in text.splitlines())
    if paired and len(roots) == 1 and len(found) > 1:
        return [(depth - 1, code) for depth, code in found if depth]
    return found


def _split(line: str) -> tuple[str, str]:
    code = line.lstrip(MARK)
    return line[: len(line) - len(code)], code


def _plain(tree: dict[str, Any]) -> Any:
    """The tree with lists of values where nothing stands below."""
    if not any(tree.values()):
        return list(tree)
    return {code: _plain(below) if below else None for code, below in tree.items()}
