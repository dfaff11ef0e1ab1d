"""What the slides compare, by their names and ours."""

from __future__ import annotations

from microveil.studies.base import About

ABOUT = About(
    system=(
        "Five ways to mask numbers so that their statistics stay: swapping within 10, 50 and 100 "
        "per cent of the ranks, the exchange of halves of Carlson & Salabasis, and data "
        "shuffling. Asked is what each does to correlations, and what an intruder learns of "
        "values and of identities."
    ),
    headline=(
        "Shuffling keeps correlations as well as the exchange of halves does, and gives no "
        "identity away: the slides' four conclusions are borne out."
    ),
    ours={
        "andmete vahetus, P %": "`rank_swap` with `range_share`",
        "C&S vahetusmeetod": "`half_swap`",
        "2DS ümberpaigutus": "`shuffle` with `model: values`",
        "astakkorrelatsioon ρ": "`rank_correlation`",
        "väärtuse paljastusoht (R²)": "`value_disclosure`",
        "isiku paljastusoht (Fuller)": "`identity_disclosure`",
    },
    interpretations=(
        (
            "*Rank correlation.* The slides' numbers are those of the plain (Pearson's) "
            "correlation; those of the ranks stand beside them."
        ),
        (
            "*Halves.* C&S exchanges between halves of n records each, 2 n in all, and is looked "
            "at within one: only so do the slides' numbers come out."
        ),
        (
            "*Exact draws.* In experiment 1 shuffled data have the sample's own correlations "
            "nearly exactly, so its runs use `exact: true`. In experiment 2 that would tie all "
            "candidates of a record; its runs draw plainly."
        ),
        (
            "*Variability explained* is the square of the mean correlation over the replications, "
            "not the mean of its squares, which would be 1/(n - 1) for independent columns, where "
            "the slides print zero."
        ),
        (
            "*The formula of the rank correlation* prints the sum of the differences d, which is "
            "always zero, for that of their squares; the slides' example (0.9) uses the squares."
        ),
        "*Experiment 2.* Its variables are taken to be independent; the slides do not say.",
    ),
    captions={
        "figure_1": "Figure 1: confidentiality map of the five methods, n = 100, ρ = .40",
    },
)
