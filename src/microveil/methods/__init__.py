"""Protection methods (steps): one file per method."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microveil.lazy_names import lazy_names
from microveil.methods.parts.base import Method
from microveil.specs import Registry

if TYPE_CHECKING:
    from microveil.methods.additive_noise import AdditiveNoise
    from microveil.methods.aggregate import Aggregate
    from microveil.methods.anonymize_paths import AnonymizePaths
    from microveil.methods.datafly import Datafly
    from microveil.methods.decompose import Decompose
    from microveil.methods.dp_microaggregate import DpMicroaggregate
    from microveil.methods.drop import Drop
    from microveil.methods.generalize import Generalize
    from microveil.methods.group_rare import GroupRare
    from microveil.methods.half_swap import HalfSwap
    from microveil.methods.incognito import Incognito
    from microveil.methods.km_anonymize import KmAnonymize
    from microveil.methods.local_recoding import LocalRecoding
    from microveil.methods.local_suppression import LocalSuppression
    from microveil.methods.mask import Mask
    from microveil.methods.match_classes import MatchClasses
    from microveil.methods.microaggregate import Microaggregate
    from microveil.methods.mondrian import Mondrian
    from microveil.methods.multiplicative_noise import MultiplicativeNoise
    from microveil.methods.optimal_generalization import OptimalGeneralization
    from microveil.methods.parts.base import Guarantee, Outcome
    from microveil.methods.parts.transitions import estimate_frequencies, response_matrix
    from microveil.methods.permute import Permute
    from microveil.methods.pram import Pram
    from microveil.methods.pseudonymize import Pseudonymize
    from microveil.methods.randomized_response import RandomizedResponse
    from microveil.methods.rank_swap import RankSwap
    from microveil.methods.redact import Redact
    from microveil.methods.relative_dates import RelativeDates
    from microveil.methods.round import Round
    from microveil.methods.sample import Sample
    from microveil.methods.set_missing import SetMissing
    from microveil.methods.shift_dates import ShiftDates
    from microveil.methods.shuffle import Shuffle
    from microveil.methods.suppress_records import SuppressRecords
    from microveil.methods.swap_records import SwapRecords
    from microveil.methods.synthesize import Synthesize
    from microveil.methods.top_bottom_code import TopBottomCode

METHODS = Registry[Method].of_package(
    "method",
    __name__,
    {
        "drop": "Drop",
        "mask": "Mask",
        "pseudonymize": "Pseudonymize",
        "set_missing": "SetMissing",
        "shift_dates": "ShiftDates",
        "relative_dates": "RelativeDates",
        "generalize": "Generalize",
        "group_rare": "GroupRare",
        "top_bottom_code": "TopBottomCode",
        "round": "Round",
        "suppress_records": "SuppressRecords",
        "local_suppression": "LocalSuppression",
        "datafly": "Datafly",
        "mondrian": "Mondrian",
        "local_recoding": "LocalRecoding",
        "incognito": "Incognito",
        "optimal_generalization": "OptimalGeneralization",
        "match_classes": "MatchClasses",
        "km_anonymize": "KmAnonymize",
        "anonymize_paths": "AnonymizePaths",
        "redact": "Redact",
        "aggregate": "Aggregate",
        "sample": "Sample",
        "permute": "Permute",
        "additive_noise": "AdditiveNoise",
        "multiplicative_noise": "MultiplicativeNoise",
        "rank_swap": "RankSwap",
        "half_swap": "HalfSwap",
        "shuffle": "Shuffle",
        "microaggregate": "Microaggregate",
        "dp_microaggregate": "DpMicroaggregate",
        "pram": "Pram",
        "randomized_response": "RandomizedResponse",
        "swap_records": "SwapRecords",
        "synthesize": "Synthesize",
        "decompose": "Decompose",
    },
)

__all__ = [
    "METHODS",
    "AdditiveNoise",
    "Aggregate",
    "AnonymizePaths",
    "Datafly",
    "Decompose",
    "DpMicroaggregate",
    "Drop",
    "Generalize",
    "GroupRare",
    "Guarantee",
    "HalfSwap",
    "Incognito",
    "KmAnonymize",
    "LocalRecoding",
    "LocalSuppression",
    "Mask",
    "MatchClasses",
    "Method",
    "Microaggregate",
    "Mondrian",
    "MultiplicativeNoise",
    "OptimalGeneralization",
    "Outcome",
    "Permute",
    "Pram",
    "Pseudonymize",
    "RandomizedResponse",
    "RankSwap",
    "Redact",
    "RelativeDates",
    "Round",
    "Sample",
    "SetMissing",
    "ShiftDates",
    "Shuffle",
    "SuppressRecords",
    "SwapRecords",
    "Synthesize",
    "TopBottomCode",
    "estimate_frequencies",
    "response_matrix",
]

if not TYPE_CHECKING:
    __getattr__ = lazy_names(
        __name__,
        METHODS.homes
        | {
            "Guarantee": "parts.base",
            "Outcome": "parts.base",
            "estimate_frequencies": "parts.transitions",
            "response_matrix": "parts.transitions",
        },
    )
