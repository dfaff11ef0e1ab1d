"""Survey design: weights, strata, households."""

from __future__ import annotations

from microveil.app.inspection.column import Column
from microveil.app.inspection.detectors.base import CODES, NUMBER, Detector
from microveil.app.inspection.limits import (
    FEW_CATEGORIES,
    LARGEST_HOUSEHOLD,
    MOSTLY_DISTINCT,
    VALUES_ALONE,
)
from microveil.app.inspection.naming import ID_MARKS, LINKS, Words
from microveil.texts import Message

SURVEY_WEIGHT = Words(
    "sampl* elevacion survey design final expan* *wgt* pond* coef* hochrechnung* person_weight* "
    "pweight fweight household|hh|person|individual|women|men|child_weight* hh_wt hhwt hhweight* "
    "*_weight_factor calib* "
    "muestr* mostr* disen* stichprobe* valim* взвеш* выбор* vaegt* vagt* opregning*"
)
"""Names that mean a sampling weight even alongside heights."""

_HOMES = (
    "household|households|hh|hogar|haushalt|haushalts|foyer|menage|dwelling|family|familia|famiglia|"
    "familie|famille|nucleo|domicilio|llar|домохозяйство|домохозяйства|семья|leibkond|leibkonna|pere"
)

_MEMBERS = (
    "person|persona|personne|pessoa|ind|individu|individuo|member|miembro|membre|membro|orden|ordre"
)

BODY = Words(
    "height stature bmi talla altura alcada grosse korpergrosse taille altezza рост pikkus"
)
"""Columns alongside which a plain "weight" is a body weight."""


def _household_sized(column: Column) -> bool:
    """Ids shared by a few records: neither one each nor hundreds."""
    counts = column.counts
    present = counts.n_records - counts.n_missing
    return counts.n_distinct < present <= LARGEST_HOUSEHOLD * counts.n_distinct


def _small_numbers(column: Column) -> bool:
    """1, 2, 3 … up to the size of a household."""
    return column.counts.n_distinct <= LARGEST_HOUSEHOLD


WEIGHT = Detector(
    kind="weight",
    noun=Message("inspect.sampling_weights", "sampling weights"),
    role="weight",
    why=Message(
        "inspect.weight_number_people_population",
        "a weight is the number of people in the population that a record represents",
    ),
    names=Words(
        "weight* *weight *weights wgt* *wgt =pond ponder* fpond coef_pond* peso pesos factor_exp* "
        "fexp gewicht* *gewicht poids вес веса kaal kaalud hochrechnung* "
        "expansion|raising_factor factor_de_expansion|elevacion factor_elev* elevacion "
        "facteur_d_extrapolation coefficient_de_ponderation coeff_riporto fator_expansao "
        "=w =wt hhwt hh_wt perwt pwt *_wt vaegt* opregning*",
        unless="kg lb lbs gram* g birth* body* net gross product* loss gain vehicle korper* curb",
    ),
    forms=("whole", "decimal"),
    shape=NUMBER > 0,
    named=VALUES_ALONE,
)
CLUSTER = Detector(
    kind="cluster",
    noun=Message("inspect.sampling_clusters", "sampling clusters"),
    role="identifier",
    why=Message(
        "inspect.cluster_small_area_whoever",
        "a cluster is a small area: whoever knows one address knows where all its people live",
    ),
    names=Words(
        "psu ssu cluster* conglomerado* upm klumpen* кластер* klaster* primary_sampling_unit "
        "enumeration_area ea_id segment_id"
    ),
    forms=CODES,
    fits=lambda column: (
        column.counts.filled_distinction < MOSTLY_DISTINCT
        and column.counts.n_distinct > FEW_CATEGORIES
    ),
)
STRATUM = Detector(
    kind="stratum",
    noun=Message("inspect.sampling_strata_clusters", "sampling strata or clusters"),
    role="strata",
    why=Message(
        "inspect.strata_sampled_separately_so",
        "strata are sampled separately, so methods should work within them",
    ),
    names=Words("strat* estrat* schicht* strate* страт* kiht psu ssu cluster* sampling_unit"),
    forms=CODES,
    fits=lambda column: column.counts.filled_distinction < MOSTLY_DISTINCT,
)
HOUSEHOLD = Detector(
    kind="household_id",
    noun=Message("inspect.households", "households"),
    role="household",
    why=Message("inspect.equal_values_mean_one", "equal values mean one household"),
    names=Words(
        f"hid hhid* hhnr hhno hhnum idhog hogarid ={_HOMES} {_HOMES}_{ID_MARKS} "
        f"{ID_MARKS}_{_HOMES} {ID_MARKS}_{LINKS}_{_HOMES} "
        "familie_id husstand* husstands_id efalle_id c_adresse_id leibkonnanr",
        unless="size type head members income weight* wgt* wt count age sex",
    ),
    forms=CODES,
    fits=_household_sized,
    sure=True,
)
MEMBER = Detector(
    kind="member_number",
    noun=Message("inspect.numbers_household_members", "numbers of household members"),
    role="identifier",
    why=Message(
        "inspect.number_member_household_together",
        "the number of a member and the household together name a person",
    ),
    names=Words(
        "pernum persnum person|member|line_number|no|nr|num lineno hhmember* hvidx orden "
        f"no|nr|num|numero|number_{_MEMBERS} no|nr|num|numero|number_{LINKS}_{_MEMBERS} "
        "num_orden nr_persona personnr_hh номер_члена liikme_nr"
    ),
    forms=("whole",),
    fits=_small_numbers,
    sure=True,
)

DESIGN = (WEIGHT, CLUSTER, STRATUM, HOUSEHOLD, MEMBER)
