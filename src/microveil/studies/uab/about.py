"""What the thesis built, by its names and ours."""

from __future__ import annotations

from microveil.studies.base import About

ABOUT = About(
    system=(
        "The thesis writes a Python module that protects one pandas column at a time, by noise, "
        "rank swapping or microaggregation, measures risk and loss as R's sdcMicro does, and "
        "compares both programs over a hundred runs each. Any number of columns at once, kernels "
        "at the speed of C and the aggregation as a parameter are its future work."
    ),
    headline=(
        "373 seconds become 0.03: microaggregation of 148,651 salaries. On the ages, whose file is "
        "at hand, noise, swaps and microaggregation come out within sampling error."
    ),
    ours={
        "`additiveNoise(p = .2)`": "`additive_noise` with `sd_share: 0.2`",
        "`multiplicativeNoise(p = .3)`": (
            "`multiplicative_noise` with `sd: 0.3`, `distribution: normal`, `redraw: false`"
        ),
        "`rankSwap(k = .2)`": "`rank_swap`, `range_share: 0.2`; its numbers: `variant: chained`",
        "`rankSwapMk2(k = .2)`": "`rank_swap` with `range_share: 0.2`, `variant: blocks`",
        "`microaggregation(k = 5)`": "`microaggregate` with `k: 5`",
        "`risk(k = .2)`, sdcMicro's `dRisk`": "`interval_disclosure` with `k: 0.2`",
        "`il1s`, sdcMicro's `dUtility`": "`il1s`",
        "histograms, sorted error curves": "`histogram_chart`, `error_curves_chart`",
    },
    interpretations=(
        (
            "*Multiplicative noise.* The text rejects negative factors and draws them again; the "
            "numbers are those of plain N(1, p), so the runs here do not draw again."
        ),
        (
            "*Rank swapping.* The text forbids a second swap of a value; the numbers need it. "
            "Both are run: tables 12 and 13 as the text says, a table of their own as the numbers "
            "do."
        ),
        (
            "*sdcMicro* is not run here: its columns hold the averages that the thesis prints, "
            "and ours stand beside them."
        ),
        (
            "*sdcMicro's averages.* Its losses, its risks and most of its means and standard "
            "deviations are 1.01 times too large (a mean age of 30 for 29.70), as if 101 runs had "
            "been divided by 100; the last table multiplies ours by 1.01. Six means and standard "
            "deviations of tables 12 to 15 are not, and no reason for that is known."
        ),
        (
            "*Percentages of section 7.4.* Under multiplicative noise the text has the mean off by "
            "less than 1 % (ages) and 17 % (salaries), the standard deviation by less than 1 % and "
            "12 %. By its own tables 10 and 11 it is 0.05 % and 0.01 %, and 21 % and 13 %; ours "
            "agree with the tables."
        ),
        (
            "*Errors of section 7.5.* By the text sdcMicro's rank swapping adds less error than "
            "the thesis' own; by tables 12 and 13 it adds more than twice as much."
        ),
        (
            "*Figures 1 to 3* draw how rank swapping, its variant and microaggregation work on ten "
            "values, of which the fifth is not legible; the printed mean of 30.4 makes it 31. The "
            "first table works them out."
        ),
    ),
    captions={
        "figure_4_ages": "Figure 4: Titanic's ages as they are",
        "figure_4_salaries": "Figure 4: the stand-in for the salaries",
        "figure_5_ages": "Figure 5: ages before and after additive noise, p = .2",
        "figure_5_salaries": "Figure 5: salaries before and after additive noise, p = .2",
        "figure_6_ages": "Figure 6: absolute errors of the ages under additive noise, sorted",
        "figure_6_salaries": "Figure 6: errors of the salaries under additive noise, sorted",
        "figure_7_ages": "Figure 7: ages before and after multiplicative noise, p = .3",
        "figure_7_salaries": "Figure 7: salaries before and after multiplicative noise, p = .3",
        "figure_8": "Figure 8: rank swapping keeps the distribution exactly",
        "figure_9_ages": "Figure 9: absolute errors of the ages under both rank swaps, sorted",
        "figure_9_salaries": "Figure 9: errors of the salaries under both rank swaps, sorted",
        "figure_10_ages": "Figure 10: ages before and after microaggregation, k = 5",
        "figure_10_salaries": "Figure 10: salaries before and after microaggregation, k = 5",
        "figure_10_ages_errors": "Figure 10: errors of the ages under microaggregation, sorted",
        "figure_10_salaries_errors": "Figure 10: errors of microaggregated salaries, sorted",
    },
)
