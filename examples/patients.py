"""A release in the making, cell by cell: run it from the project's root, or as a notebook."""
# ruff: noqa: INP001, T201 - a script that shows what it does

import microveil as mv

frame = mv.read("examples/patients.csv")

# %% Who is who: roles suggested, then decided.
print(mv.inspect(frame).roles)
roles = mv.Roles(
    identifiers=["name"],
    quasi_identifiers=["age", "sex", "zip"],
    sensitive=["disease", "cost"],
    insensitive=["admitted"],
)
draft = mv.Draft.start(frame, roles).apply(mv.Drop(columns=["name"]))
print("unique records as they are:", draft.risk().n_unique)

# %% Tens of years are not enough.
tens = mv.Generalize(column="age", hierarchy={"hierarchy": "intervals", "width": 10}, level=1)
draft = draft.apply(tens)
print("with ages in tens:", draft.risk().n_unique)

# %% Undo that, and coarsen further.
ages = mv.Generalize(column="age", hierarchy={"hierarchy": "intervals", "cuts": [40, 60]}, level=1)
provinces = mv.Generalize(column="zip", hierarchy="examples/zip.csv", level=2)
draft = draft.undo().apply(ages).apply(provinces)
print("with three age groups and provinces:", draft.risk().n_unique)

# %% Remove the few that are left, and promise what was reached.
draft = draft.apply(mv.SuppressRecords(k=5)).require(mv.KAnonymity(k=5))
release = draft.release()
print(*(check.sentence() for check in release.checks))
print(f"records removed: {release.n_suppressed}")
print(f"cells not as they were: {release.utility['cell_changes'].value:.1%}")

# %% Take it away: the data, the evidence, and the recipe to do it again.
release.write("released.csv")
release.report("report.html")
draft.recipe.write("recipe.yaml")
