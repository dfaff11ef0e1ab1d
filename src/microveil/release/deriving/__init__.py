"""What an intruder derives about protected keys from the rest of a release."""

from microveil.release.deriving.derivation import Derivation
from microveil.release.deriving.finding import fills_gaps, find_derivations, gives_away
from microveil.release.deriving.requirements import (
    caution_of,
    derive,
    not_looked_at,
    restore,
    verify_derived,
)

__all__ = [
    "Derivation",
    "caution_of",
    "derive",
    "fills_gaps",
    "find_derivations",
    "gives_away",
    "not_looked_at",
    "restore",
    "verify_derived",
]
