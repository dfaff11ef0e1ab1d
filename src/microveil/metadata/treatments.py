"""What each step did, in words that may be published: no parameter, no shift, no key, no count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

TreatmentKind = Literal[
    "recoded", "suppressed", "perturbed", "synthetic", "pseudonymised", "sampled", "removed"
]


@dataclass(frozen=True)
class Treatment:
    """What was done to a column or a table against disclosure."""

    kind: TreatmentKind
    sentence: str
    whole: bool = False
    """Whether it concerns the table and no column in particular."""


_COARSER = "Values were recoded to coarser categories."
_COARSER_AND_RARE = (
    "Values were recoded to coarser categories; records that stayed rare were removed."
)
TREATMENTS: Mapping[str, Treatment] = {
    "drop": Treatment(
        "removed", "Variables that are not to be published were left out.", whole=True
    ),
    "mask": Treatment("recoded", "Parts of the text were replaced by signs."),
    "pseudonymize": Treatment("pseudonymised", "Values were replaced by pseudonyms."),
    "set_missing": Treatment(
        "recoded", "Codes for missing or impossible values were made missing."
    ),
    "shift_dates": Treatment(
        "perturbed",
        "Dates were shifted by a secret number of days, the same for all dates of a person.",
    ),
    "relative_dates": Treatment(
        "recoded", "Dates were replaced by the time since another date of the same person."
    ),
    "generalize": Treatment("recoded", _COARSER),
    "group_rare": Treatment("recoded", "Rare categories were merged."),
    "top_bottom_code": Treatment("recoded", "Extreme values were top-coded or bottom-coded."),
    "round": Treatment("recoded", "Numbers were rounded."),
    "suppress_records": Treatment(
        "suppressed", "Records with rare combinations of characteristics were removed.", whole=True
    ),
    "local_suppression": Treatment(
        "suppressed", "Values were set to missing where combinations of characteristics are rare."
    ),
    "datafly": Treatment("recoded", _COARSER_AND_RARE),
    "mondrian": Treatment(
        "recoded", "Values were recoded to ranges or sets that several records share."
    ),
    "local_recoding": Treatment("recoded", _COARSER_AND_RARE),
    "incognito": Treatment("recoded", _COARSER_AND_RARE),
    "optimal_generalization": Treatment("recoded", _COARSER_AND_RARE),
    "match_classes": Treatment(
        "recoded", "Values were recoded to known classes; records in none of them were removed."
    ),
    "km_anonymize": Treatment(
        "recoded", "Items of sets were replaced by coarser ones, or left out where they are rare."
    ),
    "aggregate": Treatment("recoded", "Values were replaced by a statistic of their group."),
    "sample": Treatment("sampled", "The file is a random sample of the records.", whole=True),
    "permute": Treatment("perturbed", "Values were permuted among records at random."),
    "additive_noise": Treatment("perturbed", "Random noise was added to the values."),
    "multiplicative_noise": Treatment("perturbed", "Values were multiplied by random noise."),
    "rank_swap": Treatment("perturbed", "Values were swapped between records of similar rank."),
    "half_swap": Treatment("perturbed", "Values were swapped between two halves of the records."),
    "shuffle": Treatment("perturbed", "Values were shuffled among records; their ranks correlate."),
    "microaggregate": Treatment(
        "perturbed", "Values were replaced by an average of a group of similar records."
    ),
    "dp_microaggregate": Treatment(
        "perturbed",
        "Values were replaced by noisy averages of groups of similar records.",
    ),
    "pram": Treatment("perturbed", "Categories were changed at random (post-randomisation)."),
    "randomized_response": Treatment(
        "perturbed", "Values were replaced by others at random (randomised response)."
    ),
    "swap_records": Treatment(
        "perturbed", "Places were swapped between similar households (record swapping)."
    ),
    "synthesize": Treatment("synthetic", "Values are synthetic: they were drawn from a model."),
    "decompose": Treatment(
        "recoded", "The variables were divided among several tables.", whole=True
    ),
}
"""By the name of the method."""


def treatment_of(method: str) -> Treatment:
    """What a step did; one that is not known by name changed values, and no more is said."""
    return TREATMENTS.get(method) or Treatment("perturbed", "Values were changed for protection.")
