"""Patterns: what leads to a person whoever it is, told by its form and its check digits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from ipaddress import ip_address
from typing import Literal, get_args

from microveil.files.columns import checksums
from microveil.methods.redact.spans import Span

Pattern = Literal["email", "web", "ip", "device", "iban", "card", "national_id", "phone", "date"]
PATTERNS: tuple[Pattern, ...] = get_args(Pattern)

_OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_DAY = r"(?:\d{4}[\-./]\d\d?[\-./]\d\d?|\d\d?[\-./]\d\d?[\-./]\d{4})(?!\d)"
"""A date, which a time of day may follow: together they have as many digits as a phone number."""
_FORMS: dict[str, str] = {
    "email": r"[\w.+\-]+@[\w\-]+(?:\.[\w\-]+)*\.[^\W\d_]{2,}",
    "web": r"(?:https?://|www\.)[^\s<>\"')\]]+",
    "ip": rf"(?<![\d.])(?:{_OCTET}\.){{3}}{_OCTET}(?![\d.]*\d)"
    r"|(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{1,4}(?![\w:])",
    "device": r"(?<!\w)[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}(?!\w)",
    "iban": r"(?<!\w)[a-z]{2}\d{2}(?: ?[a-z0-9]){11,30}(?!\w)",
    "card": r"(?<!\w)(?:3[47]|4|5[1-5]|2[2-7]|6)(?:[ \-]?\d){12,17}(?!\w)",
    "phone": r"(?<![\w.])(?:\+|00)\d(?:[ ().\-/]{0,2}\d){6,14}(?!\w)"
    r"|(?<![\w.,:])\(?0\d{1,5}\)?[ \-/]{1,2}\d{3,8}(?:[ \-]\d{1,4})?(?!\w|[.,]\d)"
    rf"|(?<!\w)(?<!\d\d[\-./])(?!{_DAY})(?:\(\d{{2,5}}\)|\d{{2,5}})[ \-./]"
    r"(?:\d{2,5}[ \-./]){1,4}\d{2,5}(?![\w.]\d|\w)",
}
_NATIONAL: dict[str, Callable[[str], bool]] = {
    r"\d{3}-\d{2}-\d{4}": checksums.us_ssn,
    r"(?:\d{2}\.?\d{3}\.?\d{3}|[XYZ]-?\d{7})[ -]?[A-Z]": checksums.spanish_dni,
    r"[1-8]\d{10}": checksums.estonian_isikukood,
    r"\d{3}-?\d{3}-?\d{3}[ -]?\d{2}": checksums.russian_snils,
    r"\d{10}(?:\d{2})?": checksums.russian_inn,
    r"[1-478] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}": checksums.french_nir,
    r"[1-9]\d ?\d{3} ?\d{3} ?\d{3}": checksums.german_tax_id,
    r"\d{3}\.?\d{3}\.?\d{3}-?\d{2}": checksums.brazilian_cpf,
    r"\d{3}[ -]?\d{3}[ -]?\d{4}": checksums.british_nhs,
    r"[A-Z]{6}[\dL-V]{2}[A-EHLMPRST][\dL-V]{2}[A-Z][\dL-V]{3}[A-Z]": bool,
    r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]": bool,
}
"""Numbers of states by form, with the check that tells them from others; the last two, Italian and
British, have letters enough."""
_CHECKS: dict[str, Callable[[str], bool]] = {"iban": checksums.iban, "card": checksums.luhn}
_COMPILED = {kind: re.compile(form, re.IGNORECASE) for kind, form in _FORMS.items()}
_COMPILED_NATIONAL = [
    (re.compile(rf"(?<!\w){form}(?!\w)", re.IGNORECASE), check) for form, check in _NATIONAL.items()
]
_FEWEST_PHONE_DIGITS = 9
_SHORTEST_IBAN = 15


def pattern_spans(text: str, patterns: Sequence[Pattern]) -> Iterator[Span]:
    """Every place of a text that has one of these forms, except dates.

    >>> [text for text in map(tuple, pattern_spans("mail a.b@c.org", ["email"]))]
    [(5, 14, 'email')]
    """
    for kind in patterns:
        if kind == "national_id":
            yield from _national_ids(text)
        elif kind in _COMPILED:
            for found in _COMPILED[kind].finditer(text):
                yield from _checked_span(kind, found)


def _national_ids(text: str) -> Iterator[Span]:
    for form, check in _COMPILED_NATIONAL:
        for found in form.finditer(text):
            if check(checksums.bare(found.group())):
                yield Span(found.start(), found.end(), "national_id")


def _checked_span(kind: str, found: re.Match[str]) -> Iterator[Span]:
    """The match if its check holds; an account may be followed by a word that is no part of it."""
    text = found.group()
    if kind == "phone":
        digits = sum(sign.isdigit() for sign in text)
        if digits >= _FEWEST_PHONE_DIGITS or text.startswith(("+", "00")):
            yield Span(found.start(), found.end(), kind)
        return
    if kind == "ip" and not _is_address(text):
        return
    if kind not in _CHECKS:
        yield Span(found.start(), found.end(), kind)
        return
    while len(checksums.bare(text)) >= (_SHORTEST_IBAN if kind == "iban" else 1):
        if _CHECKS[kind](checksums.bare(text)):
            yield Span(found.start(), found.start() + len(text), kind)
            return
        text = text.rpartition(" ")[0] if kind == "iban" else ""


def _is_address(text: str) -> bool:
    """Whether it is an address on the internet: a time of day has colons, too."""
    try:
        ip_address(text)
    except ValueError:
        # Octets with zeros in front are written, too.
        return "." in text
    return True
