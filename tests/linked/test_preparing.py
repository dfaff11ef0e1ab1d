from __future__ import annotations

import polars as pl

from microveil.linked import LinkedRecipe
from microveil.linked.owners import Relations
from microveil.linked.preparing import prepare

RAW = {
    "tables": {
        "people": {},
        "visits": {"steps": [{"method": "drop", "columns": ["x"]}]},
        "labs": {"steps": [{"method": "drop", "columns": ["x"]}]},
    },
    "links": ["visits.who -> people.id", "labs.visit -> visits.id"],
    "people": {"table": "people", "key": "id"},
}
FRAMES = {
    "people": pl.DataFrame({"id": [7, 8]}),
    "visits": pl.DataFrame({"id": [1, 2], "who": [8, 7], "x": [0, 0]}),
    "labs": pl.DataFrame({"visit": [2, 1], "x": [0, 0]}),
}


def test_each_row_knows_its_person() -> None:
    recipe = LinkedRecipe.parse(RAW)
    relations = Relations.of(FRAMES, recipe.links, "people")
    visits = prepare(recipe, "visits", FRAMES, relations)
    assert (visits.original.roles.entity, visits.helper) == ("who", None)
    labs = prepare(recipe, "labs", FRAMES, relations)
    assert labs.helper == labs.original.roles.entity == "person"
    assert labs.original.frame["person"].to_list() == [7, 8]
    assert set(labs.recipe.keep) == {"visit", "person"}
