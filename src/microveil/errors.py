"""All exceptions that this library raises on purpose.

::

    MicroveilError
    ├── InputError                  the caller can fix it          exit 2
    │   ├── ColumnError             a column is missing, duplicated or of the wrong type
    │   ├── RolesError              two roles contradict each other
    │   ├── SpecError               a recipe or a parameter does not parse; lists every problem
    │   ├── SchemaError             data are not as expected; lists every difference
    │   ├── FileError               a file cannot be read or written
    │   ├── HierarchyError          a hierarchy has gaps or does not nest
    │   ├── SecretError             a key is missing or unusable
    │   ├── QueryError              a query is not supported: SQL beyond the subset, no bounds …
    │   ├── BudgetError             the privacy budget does not cover a query
    │   ├── GoalNotReachedError     the data do not allow a step's goal          exit 3
    │   └── NotOnSparkError         the Spark engine lacks this method
    ├── RequirementNotMetError      a requirement is not met           exit 3
    └── InternalError               our fault, please report           exit 1

Messages name columns, files and counts, never a cell's value. None of these derives from
``ValueError``: pydantic would swallow it inside a validator.

The English sentence stands where it is raised, as a text with gaps, and its values beside it:
``ColumnError("No column '{name}' to drop.", name="age")``. Catalogues find their translation by the
sentence with its gaps, so an f-string could not be translated.
"""

from __future__ import annotations

import errno
import re
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from microveil.texts.message import Message, compose, phrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = [
    "BudgetError",
    "ColumnError",
    "FileError",
    "GoalNotReachedError",
    "HierarchyError",
    "InputError",
    "InternalError",
    "MicroveilError",
    "NotOnSparkError",
    "QueryError",
    "RequirementNotMetError",
    "RolesError",
    "SchemaError",
    "SecretError",
    "SpecError",
]


class MicroveilError(Exception):
    """Base class of everything raised on purpose."""

    exit_code = 1

    def __init__(self, told: str = "", /, *, many: str | None = None, **values: Any) -> None:
        """Say a sentence with gaps and what stands in them, or a :class:`Message`."""
        super().__init__(phrase(told, many=many, **values))

    def __reduce__(self) -> tuple[Any, ...]:
        """What it says, so that it survives the way to another process."""
        return _restore, (type(self), self.args, self.__dict__)

    @property
    def message(self) -> Message:
        """What it says, which can be said in other languages, too."""
        told = self.args[0]
        return told if isinstance(told, Message) else phrase(str(told))


def _restore(
    kind: type[MicroveilError], args: tuple[Any, ...], state: dict[str, Any]
) -> MicroveilError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


class InputError(MicroveilError):
    """Something the caller can fix."""

    exit_code = 2


class ColumnError(InputError):
    """A column is missing, duplicated or of a type the operation cannot use."""


class RolesError(InputError):
    """Two roles contradict each other."""


class _ListedError(InputError):
    """Several problems at once."""

    def __init__(self, problems: Sequence[str], source: str | None = None) -> None:
        """Keep the problems separate; ``source`` names the file they are in."""
        self.problems = tuple(map(phrase, problems))
        told: str = self.problems[0] if len(self.problems) == 1 else _several(self.problems)
        super().__init__(compose("{source}: {told}", source=source, told=told) if source else told)


class SpecError(_ListedError):
    """A recipe, or one of its parts, does not parse."""


class SchemaError(_ListedError):
    """Data are not as their expected schema says."""


class FileError(InputError):
    """A file cannot be read or written."""

    def __init__(self, told: str, /, *, many: str | None = None, **values: Any) -> None:
        """Shorten names that nobody could read."""
        super().__init__(shorten(phrase(told, many=many, **values)))


class HierarchyError(InputError):
    """A hierarchy has gaps, or its levels do not nest."""


class SecretError(InputError):
    """A secret key is missing or unusable."""


class QueryError(InputError):
    """A query on a private table is not supported in this form."""


class BudgetError(InputError):
    """The privacy budget does not cover a query."""


class GoalNotReachedError(InputError):
    """The data do not allow a step's goal; ask for less, or protect them in another way."""

    exit_code = 3


class NotOnSparkError(InputError):
    """The Spark engine does not have this method."""


class RequirementNotMetError(MicroveilError):
    """The data do not meet a requirement of the recipe, so nothing is released."""

    exit_code = 3


class InternalError(MicroveilError):
    """A guarantee of our own code is violated."""

    def __init__(self, told: str, /, **values: Any) -> None:
        """State the fault and ask for a report."""
        super().__init__(
            Message(
                "error.internal",
                "{what} This is a fault in Microveil, please report it.",
                what=phrase(told, **values),
            )
        )


def _several(problems: Sequence[str]) -> Message:
    """Several problems, one to a line."""
    lines = compose(
        "".join(f"\n  {{p{i}}}" for i in range(len(problems))), **_number_problems(problems)
    )
    return Message("error.several", "{n} problems:{lines}", n=len(problems), lines=lines)


def _number_problems(problems: Sequence[str]) -> dict[str, str]:
    return {f"p{i}": one for i, one in enumerate(problems)}


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint at the nearest known name, or nothing.

    >>> did_you_mean("agee", ["age", "sex"])
    " Did you mean 'age'?"
    """
    close = get_close_matches(name, list(known), n=1)
    return Message("error.did_you_mean", " Did you mean '{name}'?", name=close[0]) if close else ""


SYSTEM_REASONS: Mapping[int, Message] = {
    errno.ENOENT: phrase("No such file or directory"),
    errno.EACCES: phrase("Permission denied"),
    errno.EPERM: phrase("Operation not permitted"),
    errno.EISDIR: phrase("Is a directory"),
    errno.ENOTDIR: phrase("Not a directory"),
    errno.EEXIST: phrase("File exists"),
    errno.EIO: phrase("Input/output error"),
    errno.EMFILE: phrase("Too many open files"),
    errno.ENOSPC: phrase("No space left on device"),
    errno.EROFS: phrase("Read-only file system"),
    errno.ENAMETOOLONG: phrase("File name too long"),
    errno.EADDRINUSE: phrase("Address already in use"),
    errno.EADDRNOTAVAIL: phrase("Cannot assign requested address"),
}
"""What the system says of itself, by its number."""


def system_reason(error: OSError) -> Message:
    """Why the system refuses.

    >>> system_reason(FileNotFoundError(2, "No such file or directory"))
    'No such file or directory'
    """
    known = SYSTEM_REASONS.get(error.errno or 0)
    return known or phrase(error.strerror or "") or phrase("the system gave no reason")


def listing(names: Iterable[str], most: int = 12) -> str:
    """A list of names, truncated if long.

    >>> listing(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    names = list(names)
    shown = ", ".join(names[:most])
    if len(names) <= most:
        return shown
    return Message("list.more", "{names} and {n} more", names=shown, n=len(names) - most)


def shorten(message: str, most: int = 2000, longest: int = 240) -> str:
    """A message whose words, such as paths, are short enough to be read.

    >>> shorten("No file aaaaaaaaaaaaaaaaaaaa.csv.", longest=12)
    'No file aaaaa….csv.'
    """
    if isinstance(message, Message):
        short_values = {
            name: shorten(value, most, longest) if isinstance(value, str) else value
            for name, value in message.values.items()
        }
        return Message(message.key, message.english, many=message.many, **short_values)
    keep = longest // 2 - 1
    pattern = rf"(\S{{{keep}}})\S{{{longest - 2 * keep},}}(\S{{{keep}}})"
    short = re.sub(pattern, r"\1…\2", message)
    return short if len(short) <= most else f"{short[:most]}…"


def quote(names: Iterable[str]) -> str:
    """A list of quoted names, for messages, which are one line whatever a name holds.

    >>> quote(["age", "sex"])
    "'age', 'sex'"
    """
    return listing(f"'{' '.join(name.splitlines()) or name}'" for name in names)


@contextmanager
def at(path: str) -> Iterator[None]:
    """Prefix an input error with its place in the recipe."""
    try:
        yield
    except InputError as error:
        error.args = (compose("{path}: {problem}", path=path, problem=error.message),)
        raise
