"""Text files: recipes, reports, schemas; YAML that is parsed without surprises."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import yaml

from microveil.errors import FileError, SpecError, system_reason
from microveil.files.atomic import writing
from microveil.files.placing import Placing
from microveil.files.sources import expand_home
from microveil.texts import phrase


def read_text(path: str | Path) -> str:
    """Read a text file that a person wrote: a recipe, a declaration, a plan of tables."""
    source = expand_home(path)
    try:
        return source.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise FileError("{path}: not UTF-8 text. Save the file as UTF-8.", path=path) from None
    except OSError as error:
        raise FileError(
            "{path}: cannot be read ({reason}).", path=path, reason=system_reason(error)
        ) from None


def make_folder(place: str | Path) -> Path:
    """A folder for files of ours, made if it is not there."""
    path = expand_home(place)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(
            "{path}: no folder can be made there ({reason}).",
            path=path,
            reason=system_reason(error),
        ) from None
    return path


def write_text(text: str, path: str | Path, placing: Placing | None = None) -> None:
    """Write text as UTF-8, with line ends unchanged, completely or not at all.

    With ``placing``, the file appears together with everything else it places.
    """
    target = expand_home(path)
    with writing(target), ExitStack() as together:
        placing = placing or together.enter_context(Placing())
        placing.file(target).write_text(text, encoding="utf-8", newline="")


def write_bytes(content: bytes, path: str | Path, placing: Placing | None = None) -> None:
    """Write bytes, likewise."""
    target = expand_home(path)
    with writing(target), ExitStack() as together:
        placing = placing or together.enter_context(Placing())
        placing.file(target).write_bytes(content)


def parsed_yaml(text: str, source: str | None = None, loader: type[Any] = yaml.SafeLoader) -> Any:
    """Parse YAML text, or give one sentence on where it is invalid, without quoting it.

    The parser itself raises various errors for an invalid tag (``!!int x``), an impossible date, a
    number with thousands of digits or deeply nested lists.
    """
    try:
        return yaml.load(text, Loader=loader)  # noqa: S506 - a safe loader, or one made of it
    except yaml.YAMLError as error:
        raise SpecError([_problem(error)], source) from None
    except RecursionError:
        raise SpecError(["Not valid YAML here: it is nested too deeply."], source) from None
    except (ValueError, TypeError, AttributeError, KeyError, OverflowError):
        raise SpecError(
            [
                phrase(
                    "Not valid YAML: a value does not match its form or its tag: an impossible "
                    "date, a number with too many digits, or not a number, date or boolean at "
                    "all. Put text in quotes."
                )
            ],
            source,
        ) from None


def _problem(error: yaml.YAMLError) -> str:
    """Where the YAML is invalid, without quoting the text."""
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or phrase("cannot be read")
    where = (
        phrase("line {line}, column {column}: ", line=mark.line + 1, column=mark.column + 1)
        if mark is not None
        else ""
    )
    return phrase("Not valid YAML: {where}{what}.", where=where, what=what)
