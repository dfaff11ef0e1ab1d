"""Protection methods (steps): one file per method."""

from microveil.methods.additive_noise import AdditiveNoise
from microveil.methods.aggregate import Aggregate
from microveil.methods.datafly import Datafly
from microveil.methods.decompose import Decompose
from microveil.methods.dp_microaggregate import DpMicroaggregate
from microveil.methods.drop import Drop
from microveil.methods.generalize import Generalize
from microveil.methods.group_rare import GroupRare
from microveil.methods.half_swap import HalfSwap
from microveil.methods.incognito import Incognito
from microveil.methods.local_recoding import LocalRecoding
from microveil.methods.local_suppression import LocalSuppression
from microveil.methods.mask import Mask
from microveil.methods.match_classes import MatchClasses
from microveil.methods.microaggregate import Microaggregate
from microveil.methods.mondrian import Mondrian
from microveil.methods.multiplicative_noise import MultiplicativeNoise
from microveil.methods.optimal_generalization import OptimalGeneralization
from microveil.methods.parts.base import Guarantee, Method, Outcome
from microveil.methods.parts.transitions import estimate_frequencies, response_matrix
from microveil.methods.permute import Permute
from microveil.methods.pram import Pram
from microveil.methods.pseudonymize import Pseudonymize
from microveil.methods.randomized_response import RandomizedResponse
from microveil.methods.rank_swap import RankSwap
from microveil.methods.round import Round
from microveil.methods.sample import Sample
from microveil.methods.shuffle import Shuffle
from microveil.methods.suppress_records import SuppressRecords
from microveil.methods.swap_records import SwapRecords
from microveil.methods.synthesize import Synthesize
from microveil.methods.top_bottom_code import TopBottomCode
from microveil.specs import Registry

METHODS = Registry[Method](
    "method",
    Drop,
    Mask,
    Pseudonymize,
    Generalize,
    GroupRare,
    TopBottomCode,
    Round,
    SuppressRecords,
    LocalSuppression,
    Datafly,
    Mondrian,
    LocalRecoding,
    Incognito,
    OptimalGeneralization,
    MatchClasses,
    Aggregate,
    Sample,
    Permute,
    AdditiveNoise,
    MultiplicativeNoise,
    RankSwap,
    HalfSwap,
    Shuffle,
    Microaggregate,
    DpMicroaggregate,
    Pram,
    RandomizedResponse,
    SwapRecords,
    Synthesize,
    Decompose,
)

__all__ = [
    "METHODS",
    "AdditiveNoise",
    "Aggregate",
    "Datafly",
    "Decompose",
    "DpMicroaggregate",
    "Drop",
    "Generalize",
    "GroupRare",
    "Guarantee",
    "HalfSwap",
    "Incognito",
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
    "Round",
    "Sample",
    "Shuffle",
    "SuppressRecords",
    "SwapRecords",
    "Synthesize",
    "TopBottomCode",
    "estimate_frequencies",
    "response_matrix",
]
