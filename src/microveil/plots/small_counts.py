"""Small counts: what a figure for the public may draw.

The rule: a count below :data:`SMALL_COUNT` is not drawn, and every other one is rounded to a
multiple of it, so that neither a bar nor the difference between two bars reveals a handful.
"""

from __future__ import annotations

from microveil.errors import InputError

SMALL_COUNT = 10
"""The smallest non-zero count of records that the public may see."""


def drawable(count: int, *, public: bool) -> int:
    """A count as a figure may draw it.

    >>> [drawable(count, public=True) for count in (0, 9, 14, 16)]
    [0, 0, 10, 20]
    >>> drawable(9, public=False)
    9
    """
    if not public:
        return count
    return 0 if count < SMALL_COUNT else SMALL_COUNT * round(count / SMALL_COUNT)


def for_public(audience: str) -> bool:
    """Whether the audience is the public."""
    if audience not in ("internal", "public"):
        raise InputError("No audience '{audience}'. Choose internal or public.", audience=audience)
    return audience == "public"
