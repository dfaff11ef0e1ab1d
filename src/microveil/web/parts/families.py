"""Families: the methods of the registry, sorted by what they do to a table."""

from __future__ import annotations

from microveil.methods import METHODS

FAMILIES: dict[str, tuple[str, ...]] = {
    "names": ("drop", "mask", "pseudonymize", "redact"),
    "coarsen": ("generalize", "group_rare", "top_bottom_code", "round", "aggregate",
                "km_anonymize", "anonymize_paths", "relative_dates"),
    "blank": ("set_missing", "local_suppression", "suppress_records", "sample"),
    "search": ("optimal_generalization", "local_recoding", "mondrian", "datafly", "incognito",
               "match_classes"),
    "noise": ("additive_noise", "multiplicative_noise", "microaggregate", "dp_microaggregate",
              "shift_dates"),
    "swap": ("rank_swap", "half_swap", "shuffle", "permute", "swap_records", "pram",
             "randomized_response"),
    "new": ("synthesize", "decompose"),
}  # fmt: skip
"""Families by name; what the registry has beyond them is in ``others``."""


def families() -> dict[str, list[str]]:
    """Every registered method in its family, none left out."""
    known = {name: [one for one in some if one in METHODS] for name, some in FAMILIES.items()}
    placed = {one for some in known.values() for one in some}
    others = [kind.kind() for kind in METHODS if kind.kind() not in placed]
    return known | ({"others": others} if others else {})
