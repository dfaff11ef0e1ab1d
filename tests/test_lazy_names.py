"""Names of a package that are imported from their modules on first use."""

from __future__ import annotations

import sys

import pytest

from microveil.lazy_names import LazyClasses, lazy_names


def test_a_name_is_imported_from_its_module_and_kept() -> None:
    load = lazy_names("email", {"FeedParser": "feedparser"})
    found = load("FeedParser")
    assert found.__module__ == "email.feedparser"
    assert vars(sys.modules["email"]).pop("FeedParser") is found


def test_an_unlisted_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'email' has no attribute 'message'"):
        lazy_names("email", {})("message")


def test_classes_are_counted_and_looked_for_without_loading() -> None:
    classes = LazyClasses("no_such_package", {"one": "One", "two": "Two"})
    assert list(classes) == ["one", "two"]
    assert len(classes) == 2
    assert "one" in classes
    assert "three" not in classes
    assert classes.homes == {"One": "one", "Two": "two"}


def test_a_class_that_is_not_listed_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        _ = LazyClasses("email", {"message": "Message"})["header"]
