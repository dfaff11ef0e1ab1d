"""Trees of categories: label → … → values, as plain data and in YAML files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

import polars as pl
import yaml

from microveil.errors import HierarchyError
from microveil.files import write_text
from microveil.hierarchies.hierarchy import STAR, Hierarchy
from microveil.hierarchies.text_files import read_text
from microveil.texts import compose, phrase

if TYPE_CHECKING:
    from pathlib import Path

DEEPEST = 64
"""Largest number of levels of a tree; a YAML file that refers to itself is endless."""


class TreeShapeError(ValueError):
    """A tree does not consist of mappings, lists and plain values; usable by pydantic."""


def from_tree(tree: object, names: Sequence[str] = (), source: str | None = None) -> Hierarchy:
    """The hierarchy of a tree: a list of values, or a mapping of label to a smaller tree.

    A key with nothing under it is a value. If a branch is shorter than others, its values keep
    their nearest label on the missing levels.

    >>> from_tree({"Europe": {"West": ["FR", "DE"]}, "Other": ["XX"]}).frame.rows()[-1]
    ('XX', 'Other', 'Other', '*')
    """
    try:
        leaves = [] if tree is None else list(_leaves(tree, ()))
    except TreeShapeError as error:
        told = phrase(error.args[0])
        raise HierarchyError(
            compose("{source}: {told}", source=source, told=told) if source else told
        ) from None
    depth = max((len(above) for _, above in leaves), default=0)
    rows = [(leaf, *_fill(above, depth)) for leaf, above in leaves]
    columns = [pl.Series(list(column), dtype=pl.String) for column in zip(*rows, strict=True)]
    return Hierarchy.of(columns, names, source)


def to_tree(hierarchy: Hierarchy) -> Any:
    """The hierarchy as a tree of plain data, with values as text."""
    tree: Any = {}
    for value, *labels in hierarchy.text_rows():
        above = labels[:-1][::-1]
        node = tree
        for label in above[:-1]:
            node = node.setdefault(label, {})
        node.setdefault(above[-1] if above else STAR, []).append(value)
    return tree


def plain_tree(tree: object) -> Any:
    """The tree with all labels and values as text; raises :class:`TreeShapeError`."""
    if isinstance(tree, Mapping):
        return {_text(label): plain_tree(below) for label, below in tree.items()}
    if isinstance(tree, Sequence) and not isinstance(tree, str):
        return [plain_tree(part) if _branches(part) else _text(part) for part in tree]
    return None if tree is None or tree == "" else [_text(tree)]


def read_yaml(path: str | Path, names: Sequence[str] = ()) -> Hierarchy:
    """Read a tree: the whole file, or its ``tree`` alongside the names of its ``levels``.

    Every scalar is text: ``NO`` is Norway and ``01234`` keeps its zero.
    """
    return parse_yaml(read_text(path), names, str(path))


def parse_yaml(text: str, names: Sequence[str] = (), source: str = "hierarchy") -> Hierarchy:
    r"""Parse a tree from YAML text.

    >>> parse_yaml("levels: [town, country]\ntree: {FR: [Lyon, Paris], IT: [Rome]}").names
    ('town', 'country', '*')
    """
    try:
        raw = yaml.load(text, Loader=_TextLoader)  # noqa: S506  a safe loader that makes only text
    except RecursionError:
        raise HierarchyError("A tree is nested too deeply.") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = phrase(" in line {line}", line=mark.line + 1) if mark else ""
        raise HierarchyError(
            "{source}: The hierarchy is not valid YAML{line}: {problem}.",
            source=source,
            line=line,
            problem=getattr(error, "problem", ""),
        ) from None
    if isinstance(raw, dict) and "tree" in raw and set(raw) <= {"tree", "levels"}:
        names = names or raw.get("levels", ())
        raw = raw["tree"]
    listed = isinstance(names, list | tuple) and all(isinstance(name, str) for name in names)
    if not listed:
        raise HierarchyError(
            "{source}: `levels` must be a list of names, finest level first.", source=source
        )
    return from_tree(raw, names, source)


def write_yaml(hierarchy: Hierarchy, path: str | Path) -> None:
    """Write a hierarchy as a tree with the names of its levels."""
    write_text(format_yaml(hierarchy), path)


def format_yaml(hierarchy: Hierarchy) -> str:
    """A hierarchy as a YAML tree with the names of its levels."""
    content = {"levels": list(hierarchy.names), "tree": to_tree(hierarchy)}
    return yaml.safe_dump(content, allow_unicode=True, sort_keys=False)


class _TextLoader(yaml.SafeLoader):
    """Reads every scalar as text and refuses a label that occurs twice in one place."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  the name is PyYAML's

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002  PyYAML's signature
        keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        if len(set(keys)) < len(keys):
            raise yaml.constructor.ConstructorError(
                problem="a label occurs twice in one place", problem_mark=node.start_mark
            )
        return super().construct_mapping(node, deep)


def _branches(part: object) -> bool:
    return isinstance(part, Mapping) or (isinstance(part, Sequence) and not isinstance(part, str))


def _leaves(tree: object, above: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each value with the labels above it, nearest first."""
    if len(above) > DEEPEST:
        raise TreeShapeError(
            phrase(
                "The tree is deeper than {deepest} levels, or refers to itself.", deepest=DEEPEST
            )
        )
    if isinstance(tree, Mapping):
        for label, below in tree.items():
            if below is None or below == "":
                yield _text(label), above
            else:
                yield from _leaves(below, (_text(label), *above))
    elif isinstance(tree, Sequence) and not isinstance(tree, str):
        for part in tree:
            if isinstance(part, Mapping):
                yield from _leaves(part, above)
            else:
                yield _text(part), above
    else:
        yield _text(tree), above


def _fill(above: tuple[str, ...], depth: int) -> tuple[str, ...]:
    nearest = above[0] if above else STAR
    return (nearest,) * (depth - len(above)) + above


def _text(scalar: object) -> str:
    match scalar:
        case bool():
            raise TreeShapeError(
                "The tree holds a yes/no value. Put words like NO, yes, on in quotes."
            )
        case str():
            return scalar
        case int():
            return str(scalar)
        case float():
            return str(int(scalar)) if scalar.is_integer() else repr(scalar)
        case date():
            return scalar.isoformat().replace("T00:00:00", "")
        case _:
            raise TreeShapeError(
                "The tree must consist of mappings, lists and plain values; one entry is neither."
            )
