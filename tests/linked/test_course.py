from __future__ import annotations

import numpy as np
import polars as pl

from microveil.app.steps import StepsTaken
from microveil.linked import LinkedRecipe
from microveil.linked.course import Course, Taken
from microveil.linked.owners import Relations
from microveil.linked.preparing import prepare

RAW = {
    "tables": {
        "people": {"roles": {"quasi_identifiers": ["sex"]}},
        "visits": {"roles": {"quasi_identifiers": ["ward"]}},
    },
    "links": ["visits.who -> people.id"],
    "people": {"table": "people", "key": "id", "quasi_identifiers": ["sex", "visits.ward"]},
}
FRAMES = {
    "people": pl.DataFrame({"id": [7, 8], "sex": ["f", "m"]}),
    "visits": pl.DataFrame({"who": [8, 7, 8], "ward": ["a", "b", "c"]}),
}


def course() -> Course:
    recipe = LinkedRecipe.parse(RAW)
    relations = Relations.of(FRAMES, recipe.links, "people")
    done = {}
    for name in FRAMES:
        own, original, helper = prepare(recipe, name, FRAMES, relations)
        done[name] = Taken(own, original, StepsTaken(original, ()), helper)
    stay = {name: one.kept_rows() for name, one in done.items()}
    return Course(recipe, relations, done, stay)


def test_the_view_follows_who_is_left() -> None:
    whole = course()
    assert whole.view().frame["visits.ward"].to_list() == ["b", "a | c"]
    left = whole.without(np.array([True, False]))
    assert left.view().frame.rows() == [("m", "a | c")]
    assert left.rows_left("visits").tolist() == [0, 2]
    assert left.released_columns("visits", ["ward"]).frame["ward"].to_list() == ["a", "c"]
    assert left.view_before().height == 2
