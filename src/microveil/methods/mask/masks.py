"""Masks: what stays visible in a text."""

from __future__ import annotations

import ipaddress
from typing import Literal, NamedTuple

import polars as pl

Preset = Literal["ip", "phone", "card", "email"]
Keep = Literal["nothing", "network", "area", "last_four", "domain"]

KEPT_BY: dict[Preset, tuple[Keep, ...]] = {
    "ip": ("nothing", "network"),
    "phone": ("nothing", "area"),
    "card": ("last_four", "nothing"),
    "email": ("nothing", "domain"),
}
"""What each preset can keep visible; the first is its default."""

HIDDEN_LENGTH = 4
"""Number of characters that replace a hidden text whose length is not to be shown."""

OCTET = "(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])"
IP_V4 = rf"^({OCTET}\.{OCTET})\.{OCTET}\.{OCTET}$"
V6_GROUPS, V6_NETWORK_GROUPS = 8, 3
PHONE, PHONE_DIGITS, PHONE_LOCAL_DIGITS = r"^\+?[\d\s()./-]+$", (7, 15), 7
CARD, CARD_DIGITS, CARD_SHOWN_DIGITS = r"^[\d\s-]+$", (12, 19), 4
EMAIL = r"^[^@\s]+@([^@\s]+\.[^@\s.]+)$"

TEXT = pl.col("text")


class Slice(NamedTuple):
    """A run of positions whose characters are kept."""

    start: int
    length: int


def read_pattern(pattern: str) -> list[str | Slice]:
    r"""Parse a pattern into fixed text and kept positions; ``ValueError`` if it is invalid.

    ``?`` keeps the character at its position, ``\`` makes the next character fixed text, and
    everything else is fixed text.

    >>> read_pattern("??-XX")
    [Slice(start=0, length=2), '-XX']
    """
    pieces: list[str | Slice] = []
    place, escaped = 0, False
    for char in pattern:
        if char == "\\" and not escaped:
            escaped = True
            continue
        last = pieces[-1] if pieces else None
        if char == "?" and not escaped:
            if isinstance(last, Slice):
                pieces[-1] = Slice(last.start, last.length + 1)
            else:
                pieces.append(Slice(place, 1))
        elif isinstance(last, str):
            pieces[-1] = last + char
        else:
            pieces.append(char)
        place, escaped = place + 1, False
    if escaped:
        raise ValueError(r"A pattern cannot end in a single \; write \\ for the character itself.")
    return pieces


def by_pattern(text: pl.Series, pattern: str, char: str) -> pl.Series:
    """Rewrite each text by a pattern; ``char`` replaces positions beyond the end of a text.

    >>> by_pattern(pl.Series(["AB123"]), "??-XXX", "*").to_list()
    ['AB-XXX']
    """
    pieces = read_pattern(pattern)
    ends = [piece.start + piece.length for piece in pieces if isinstance(piece, Slice)]
    padded = TEXT.str.pad_end(max(ends, default=0), char)
    parts = [
        padded.str.slice(piece.start, piece.length) if isinstance(piece, Slice) else pl.lit(piece)
        for piece in pieces
    ]
    masked = pl.concat_str(parts) if parts else pl.lit("")
    return _rewrite(text, pl.when(TEXT.is_not_null()).then(masked))


def by_ends(text: pl.Series, start: int, end: int, char: str, *, keep_length: bool) -> pl.Series:
    """Keep only the first and last characters of each text visible.

    A text that would be fully visible, because it is no longer than that, is fully hidden.

    >>> by_ends(pl.Series(["Annette", "Al"]), 1, 1, "*", keep_length=True).to_list()
    ['A*****e', '**']
    """
    length = TEXT.str.len_chars().cast(pl.Int64)
    hidden = pl.lit(char * HIDDEN_LENGTH)
    middle = TEXT.str.slice(start, (length - start - end).clip(0))
    ends = pl.concat_str(
        TEXT.str.slice(0, start),
        _hide(middle, char) if keep_length else hidden,
        TEXT.str.slice((length - end).clip(0)),
    )
    wholly = _hide(TEXT, char) if keep_length else pl.when(TEXT.is_not_null()).then(hidden)
    return _rewrite(text, pl.when(length > start + end).then(ends).otherwise(wholly))


def by_preset(text: pl.Series, preset: Preset, keep: Keep, char: str) -> pl.Series:
    """Mask each text according to its kind; missing if it is not of that kind.

    >>> by_preset(pl.Series(["4000 1234 5678 9010", "?"]), "card", "last_four", "*").to_list()
    ['**** **** **** 9010', None]
    """
    text = text.str.strip_chars()
    if preset == "ip":
        return _masked_ip(text, keep, char)
    if preset == "email":
        shown = TEXT.str.extract(EMAIL, 1) if keep == "domain" else pl.lit(char * 3)
        masked = pl.concat_str(pl.lit(char * 3 + "@"), shown)
        return _rewrite(text, pl.when(TEXT.str.contains(EMAIL)).then(masked))
    if preset == "phone":
        head, tail = _split_digits(PHONE_LOCAL_DIGITS)
        head = head if keep == "area" else _hide_digits(head, char)
        masked = pl.concat_str(head, _hide_digits(tail, char))
        return _rewrite(text, pl.when(_fits(PHONE, PHONE_DIGITS)).then(masked))
    head, tail = _split_digits(CARD_SHOWN_DIGITS)
    tail = tail if keep == "last_four" else _hide_digits(tail, char)
    masked = pl.concat_str(_hide_digits(head, char), tail)
    return _rewrite(text, pl.when(_fits(CARD, CARD_DIGITS)).then(masked))


def _rewrite(text: pl.Series, expression: pl.Expr) -> pl.Series:
    return text.to_frame("text").select(expression.alias(text.name)).to_series()


def _hide(text: pl.Expr, char: str) -> pl.Expr:
    return pl.lit("").str.pad_end(text.str.len_chars(), char)


def _hide_digits(text: pl.Expr, char: str) -> pl.Expr:
    # A `$` in a replacement would refer to a group of the expression.
    return text.str.replace_all(r"\d", char.replace("$", "$$"))


def _fits(pattern: str, digits: tuple[int, int]) -> pl.Expr:
    return TEXT.str.contains(pattern) & TEXT.str.count_matches(r"\d").is_between(*digits)


def _split_digits(n_last: int) -> tuple[pl.Expr, pl.Expr]:
    """The text before the last digits, and from there on."""
    pattern = rf"(?s)^(.*?)((?:\d\D*){{{n_last}}})$"
    return TEXT.str.extract(pattern, 1), TEXT.str.extract(pattern, 2)


def _masked_ip(text: pl.Series, keep: Keep, char: str) -> pl.Series:
    network = TEXT.str.extract(IP_V4, 1) if keep == "network" else pl.lit(f"{char}.{char}")
    v4 = pl.concat_str(network, pl.lit(f".{char}.{char}"))
    masked = _rewrite(text, pl.when(TEXT.str.contains(IP_V4)).then(v4))
    others = text.filter(masked.is_null() & text.str.contains(":", literal=True)).unique()
    if others.is_empty():
        return masked
    v6 = [_masked_ip_v6(address, keep, char) for address in others.to_list()]
    replaced = text.replace_strict(others, pl.Series(v6, dtype=pl.String), default=None)
    return masked.zip_with(masked.is_not_null(), replaced)


def _masked_ip_v6(address: str, keep: Keep, char: str) -> str | None:
    try:
        groups = ipaddress.IPv6Address(address).exploded.partition("%")[0].split(":")
    except ValueError:
        return None
    n_shown = V6_NETWORK_GROUPS if keep == "network" else 0
    shown = [f"{int(group, 16):x}" for group in groups[:n_shown]]
    return ":".join(shown + [char] * (V6_GROUPS - n_shown))
