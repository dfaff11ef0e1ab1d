"""What the course teaches, by its words and ours."""

from __future__ import annotations

from microveil.studies.base import About

ABOUT = About(
    system=(
        "The field's map for students: roles of columns, disclosure of identities and attributes, "
        "k-anonymity and its relatives, differential privacy, record linkage, information loss, "
        "and the methods that protect."
    ),
    headline="Every worked example and exercise is recomputed; where a digit differs, it says why.",
    ours={
        "k-anonimitat": "`k_anonymity`",
        "l-diversitat: valors diferents, entropia, recursiva": "`l_diversity` with `kind`",
        "t-proximitat, other distances": "`t_closeness` with `distance`",
        "privadesa diferencial, resposta aleatoritzada": "`microveil.dp`, `randomized_response`",
        "unicitat, risc individual": "`individual_risk`, `special_uniques`",
        "enllaç de registres, other distances and weights": "`record_linkage` with `distance`",
        "revelació d'atribut, an interval": "`attribute_disclosure`",
        "MSE, MAE, MRE of values, records, covariances, correlations": "`information_loss`",
        "classificació, precisió, exhaustivitat; clusterització": "`prediction`, `clustering`",
        "generalització, supressió, top and bottom coding": (
            "`generalize`, `local_suppression`, `suppress_records`, `top_bottom_code`"
        ),
        "soroll additiu, correlacionat, multiplicatiu": "`additive_noise`, `multiplicative_noise`",
        "figure 10's ontology": "a `tree` hierarchy",
        "rank swapping, microagregació (MDAV)": "`rank_swap`, `microaggregate`",
        "cosinus, Jaccard, edit distance (exercise 3)": "`microaggregate` with `distance`",
        "dades sintètiques": "`synthesize`",
        "risc enfront d'utilitat (figure 5)": "`microveil explore`",
    },
    captions={
        "figure_9": "Figure 9: what trees learnt from Iris, plain and with noise, tell of a flower",
        "figure_11": "Figure 11: the noise on age, as drawn and by the course's own formula",
        "figure_13": "Figure 13: Laplace noise for four privacy losses",
    },
    interpretations=(
        (
            "*Additive noise.* The course's p scales the variance (`variance_share`); the thesis "
            "from Barcelona scales the standard deviation."
        ),
        "*Recursive diversity.* The printed formula sums from r₁, the printed example from r_l.",
        (
            "*Figure 9.* The three trees are pictures without text in the copy at hand, so that "
            "their splits are not laid beside ours; the figure here shows ours."
        ),
        (
            "*Figure 11.* It draws N(0, 142.105), half of a variance that was miscopied; half of "
            "the printed 294.21 is 147.105 (tables 17 to 19)."
        ),
    ),
)
