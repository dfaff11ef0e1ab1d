"""What can be derived, and what helps, in one sentence each; no cell values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from microveil.errors import quote
from microveil.release.deriving.derivation import Cause, Derivation
from microveil.texts import Message, join


def say_failing(derivations: Sequence[Derivation]) -> Message:
    """Why a requirement fails that holds as long as nobody derives anything."""
    found = Message(
        "derived.failing",
        "It holds only until somebody works out {cells:,} protected cells of {keys} from the rest "
        "of the release: {causes}.",
        **_gaps(derivations),
    )
    return join([found, say_remedy(derivations)])


def say_caution(derivations: Sequence[Derivation], k: int, n_unique: int) -> Message:
    """What comes back, what k then is, and what helps."""
    found = Message(
        "derived.caution",
        "Of the protected cells of {keys}, {cells:,} can be worked out from the rest of the "
        "release: {causes}.",
        **_gaps(derivations),
    )
    reached = Message(
        "derived.k",
        "With them filled in, k is {k:,}; {unique:,} records are unique.",
        k=k,
        unique=n_unique,
    )
    return join([found, reached, say_remedy(derivations)])


def say_publicly(k: int) -> Message:
    """What readers who may be intruders are told: that something comes back, not from where."""
    return Message(
        "derived.public",
        "Some protected cells of the keys can be worked out from the rest of the release; with "
        "them filled in, k is {k:,}.",
        k=k,
    )


def _gaps(derivations: Sequence[Derivation]) -> dict[str, Any]:
    return {
        "keys": _keys(derivations),
        "cells": count_cells(derivations),
        "causes": join([_say_cause(*one) for one in _by_cause(derivations)], "; "),
    }


def _keys(derivations: Sequence[Derivation]) -> str:
    return quote(dict.fromkeys(one.key for one in derivations))


def count_cells(derivations: Sequence[Derivation]) -> int:
    """Cells that come back in one way or several."""
    total = 0
    for key in dict.fromkeys(one.key for one in derivations):
        masks = [one.back for one in derivations if one.key == key]
        back = masks[0]
        for mask in masks[1:]:
            back |= mask
        total += int(back.sum())
    return total


def _by_cause(
    derivations: Sequence[Derivation],
) -> Iterator[tuple[Cause, tuple[str, ...], list[Derivation]]]:
    """Derivations of one kind together, with the columns that give the cells back."""
    for cause in dict.fromkeys(one.cause for one in derivations):
        own = [one for one in derivations if one.cause == cause]
        yield cause, tuple(dict.fromkeys(one.by for one in own)), own


def _say_cause(cause: Cause, by: Sequence[str], own: Sequence[Derivation]) -> Message:
    told: dict[str, Any] = {
        "columns": quote(by),
        "keys": _keys(own),
        "cells": count_cells(own),
    }
    if cause == "household":
        return Message(
            "derived.household",
            "{cells:,} of {keys} from other members of the household, whom {columns} links",
            **told,
        )
    if cause == "person":
        return Message(
            "derived.person",
            "{cells:,} of {keys} from other rows of the same person, which {columns} links",
            **told,
        )
    if cause == "count":
        return Message(
            "derived.count",
            "{cells:,} of {keys} by counting the rows that share {columns}",
            **told,
        )
    return Message("derived.column", "{cells:,} of {keys} from {columns}", **told)


def say_remedy(derivations: Sequence[Derivation]) -> Message:
    """What to do about it, once for each kind of cause."""
    linking = [one for one in derivations if one.cause in ("household", "person")]
    counting = {one.by for one in derivations if one.cause == "count"}
    found = []
    if counting or linking:
        ids = dict.fromkeys(one.by for one in derivations if one.cause != "column")
        found.append(
            Message(
                "derived.remedy_ids",
                "Drop {columns} (a pseudonym links rows just as well).",
                columns=quote(ids),
            )
        )
    if linking and not counting:
        found.append(
            Message(
                "derived.remedy_rows",
                "Or protect {keys} by a last step `local_suppression`, which suppresses for all "
                "rows that belong together if for one.",
                keys=_keys(linking),
            )
        )
    return join([*found, *_say_columns(derivations)])


def _say_columns(derivations: Sequence[Derivation]) -> Iterator[Message]:
    """What to do about columns that tell a key; one that is a key cannot be made one."""
    telling = [one for one in derivations if one.cause == "column"]
    if others := [one for one in telling if not one.by_key]:
        columns = dict.fromkeys(one.by for one in others)
        yield Message(
            "derived.remedy_columns",
            "Drop {columns}, or make it a key, so that it is protected along with {keys}.",
            many="Drop {columns}, or make them keys, so that they are protected along with {keys}.",
            n=len(columns),
            columns=quote(columns),
            keys=_keys(others),
        )
    if keys := [one for one in telling if one.by_key]:
        yield Message(
            "derived.remedy_keys",
            "Drop {columns} or {keys}: one tells the other.",
            columns=quote(dict.fromkeys(one.by for one in keys)),
            keys=_keys(keys),
        )
