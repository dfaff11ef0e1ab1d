"""Text files: recipes, reports, schemas; YAML that is read without surprises."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import yaml

from microveil.errors import SpecError
from microveil.files.atomic import writing
from microveil.files.placing import Placing
from microveil.files.sources import expanded


def write_text(text: str, path: str | Path, placing: Placing | None = None) -> None:
    """Write a text as UTF-8, line ends as they are, whole or not at all.

    With ``placing``, the file appears together with what else it places.
    """
    target = expanded(path)
    with writing(target), ExitStack() as together:
        placing = placing or together.enter_context(Placing())
        placing.file(target).write_text(text, encoding="utf-8", newline="")


def parsed_yaml(text: str, source: str | None = None, loader: type[Any] = yaml.SafeLoader) -> Any:
    """What a YAML text says, or one sentence on where it goes wrong, without quoting it.

    The reader itself raises whatever comes to hand for a tag on nonsense (``!!int x``), a day
    that no month has, a number of thousands of digits or lists within lists within lists.
    """
    try:
        return yaml.load(text, Loader=loader)  # noqa: S506 - a safe loader, or one made of it
    except yaml.YAMLError as error:
        raise SpecError([_problem(error)], source) from None
    except RecursionError:
        problem = "Not valid YAML here: it is nested too deeply."
        raise SpecError([problem], source) from None
    except (ValueError, TypeError, AttributeError, KeyError, OverflowError):
        problem = (
            "Not valid YAML: a value is not what it looks like or is tagged as: an impossible "
            "date, a number of too many digits, or no number, date or truth value at all. Put "
            "text in quotes."
        )
        raise SpecError([problem], source) from None


def _problem(error: yaml.YAMLError) -> str:
    """Where the YAML breaks, without quoting the text."""
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or "cannot be read"
    where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark is not None else ""
    return f"Not valid YAML: {where}{what}."
