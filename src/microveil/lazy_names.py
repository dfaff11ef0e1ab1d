"""Names of a package that are imported from their modules on first use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package: ``homes`` says which of its modules holds a name.

    >>> lazy_names("email", {"Message": "message"})("Message").__module__
    'email.message'
    """

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load


class LazyClasses(Mapping[str, type[Any]]):
    """Classes of a package by their names in files, each in the module of that name.

    >>> classes = LazyClasses("email", {"message": "Message"})
    >>> "message" in classes, classes["message"].__name__
    (True, 'Message')
    """

    def __init__(self, package: str, names: Mapping[str, str]) -> None:
        """``names`` gives for each name in files the name of the class."""
        self._package, self._names = package, dict(names)

    @property
    def homes(self) -> dict[str, str]:
        """For each class name the module that holds it."""
        return {class_name: module for module, class_name in self._names.items()}

    def __getitem__(self, name: str) -> type[Any]:
        """Load one class."""
        found = getattr(import_module(f"{self._package}.{name}"), self._names[name])
        assert isinstance(found, type)  # noqa: S101  for the type checker
        return found

    def __contains__(self, name: object) -> bool:
        """Whether a name is listed; loads nothing."""
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names; loads nothing."""
        return iter(self._names)

    def __len__(self) -> int:
        """Count the classes; loads nothing."""
        return len(self._names)
