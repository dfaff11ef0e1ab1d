"""What the thesis built, by its names and ours."""

from __future__ import annotations

from microveil.studies.base import About

ABOUT = About(
    system=(
        "Two programs written from the papers, in Java: Datafly generalises whole columns and "
        "deletes what stays rare, Mondrian cuts the records into ranges. Both run on 26 made-up "
        "tables and on Adult, at k = 2, 8, 32 and 128, and are compared by the classes they leave."
    ),
    headline=(
        "Table 6 comes out exactly, for both algorithms and every number of columns; the 312 runs "
        "took less than a minute of one core."
    ),
    ours={
        "Datafly": "`datafly`",
        "Mondrian, strict and relaxed": "`mondrian` with `mode: strict` or `relaxed`",
        "hierarchies by type": "`{hierarchy: types}`",
        "DGH": "hierarchies from a file, a tree or a builder",
        "combinations, size, variance": "`class_sizes`, `average_class_size`",
        "its data generators (func, N, A; V, A)": (
            "`microveil example independent`, `squares`, `dependent`, `dependent_squares` with "
            "`--rows`, `--columns`, `--values`"
        ),
        "Datafly utilizando rangos": "`datafly` with `{hierarchy: intervals}`",
        "Mondrian haciendo uso de DGHs": "`mondrian` with `hierarchies`",
        "future work: Incognito, l-diversity": "`incognito`, `l_diversity`",
    },
    interpretations=(
        (
            "*Adult.* The thesis takes all numeric columns of 32,561 rows for keys, and so does "
            "one run here; three of them are at hand only as hundredths of their range. Another "
            "run is on the eight descriptive columns of the 30,162 complete rows, with ARX's "
            "hierarchies."
        ),
        (
            "*65.5 per cent.* The thesis gives it for every k; its own table 6 has it for three of "
            "four."
        ),
    ),
    captions={
        "figure_5": "Figure 5: 10,000 values, linear and quadratic",
        "figure_8": "Figure 8: Datafly on independent columns",
        "figure_9": "Figure 9: strict Mondrian on independent columns",
        "figure_10": "Figure 10: relaxed Mondrian on independent columns",
        "figure_11": "Figure 11: Datafly on dependent columns",
        "figure_12": "Figure 12: strict Mondrian on dependent columns",
        "figure_13": "Figure 13: relaxed Mondrian on dependent columns",
        "figure_14": "Figure 14: the thesis' algorithms on Adult's numeric columns, by k",
        "figure_14_descriptive": "Like figure 14: all algorithms on Adult's descriptive columns",
    },
)
