"""Knowledge: the page *which method when*, written from what the search itself goes by."""

from __future__ import annotations

from microveil.app.advising.families import FAMILIES, Family

HEAD = """# Which method when

What [`mv.advise`](advise.md) tries, when, and why. The table is written from the same knowledge
that the search goes by: a way that is not listed is not tried, and one that is listed is tried
wherever its first two columns fit and the goal does not forbid it.

| you have … | and need … | method | because | beware | values true | records kept |
|---|---|---|---|---|---|---|
"""
FOOT = """
Identifiers are dropped before everything else, ids of people and households and strata that tell
a key as well. For the audiences `public` and `research`, amounts that are unique in nearly every
record are rounded or averaged, unless the goal is `truthful`. Ways for columns beside the keys
(microaggregation, swapping, noise, shuffling, PRAM) are tried together with each way for the
keys, and only where a ceiling on a measure may ask for it.
"""


def which_method_page() -> str:
    """The page as Markdown."""
    return HEAD + "".join(_row(one) for one in FAMILIES.values()) + FOOT


def _row(family: Family) -> str:
    known = family.known
    method = f"[`{family.method}`](methods/{family.method}.md)"
    told = (known.have, known.need, method, known.why, known.beware)
    marks = ("yes" if family.truthful else "no", "yes" if family.keeps_records else "not all")
    return f"| {' | '.join((*told, *marks))} |\n"
