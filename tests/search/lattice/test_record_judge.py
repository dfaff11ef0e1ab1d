from __future__ import annotations

from typing import Literal

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.privacy import Check, KAnonymity, LDiversity, PrivacyModel
from microveil.search.lattice.record_judge import RecordJudge, labelled_classes
from microveil.tables import Classes, Roles, Table

ASKED: list[int] = []


class Counting(PrivacyModel):
    """2-anonymity that notes how often it is asked."""

    model: Literal["counting"] = "counting"

    def verify(self, classes: Classes) -> Check:
        ASKED.append(classes.n_classes)
        return KAnonymity(k=2).verify(classes)


labels = st.lists(st.integers(0, 4), min_size=1, max_size=12)


@given(labels, st.lists(st.booleans(), min_size=12, max_size=12))
def test_a_judge_says_what_the_models_say_of_the_records_that_are_kept(
    found: list[int], flags: list[bool]
) -> None:
    table = Table({"s": [i % 3 for i in range(len(found))]}, Roles(sensitive=["s"]))
    models = [KAnonymity(k=2), LDiversity(l=2)]
    judge = RecordJudge(table, models)
    of_record, kept = np.array(found, dtype=np.int32), np.array(flags[: len(found)])
    for _ in range(2):  # asked again, it remembers
        for mask in (None, kept):
            there = of_record if mask is None else of_record[mask]
            values = [i % 3 for i in range(len(found)) if mask is None or mask[i]]
            keeps = judge(of_record, 5, mask)
            for number in range(5):
                mine = [v for v, label in zip(values, there, strict=True) if label == number]
                assert keeps[number] == (not mine or (len(mine) > 1 and len(set(mine)) > 1))


def test_a_partition_is_judged_once_whatever_its_classes_are_called() -> None:
    ASKED.clear()
    judge = RecordJudge(Table({"s": [1, 2, 3, 4]}), [Counting()])
    for labels_of in ([0, 0, 1, 2], [3, 3, 0, 1], [1, 1, 4, 0]):
        keeps = judge(np.array(labels_of, dtype=np.int32), 5)
        assert not keeps[labels_of[2]]
        assert not keeps[labels_of[3]]
        assert keeps[labels_of[0]]
    assert len(ASKED) == 1
    judge(np.array([0, 0, 1, 1], dtype=np.int32), 2)
    judge(np.array([0, 0, 1, 1], dtype=np.int32), 2, np.array([True, True, True, False]))
    assert len(ASKED) == 3


def test_people_blame_every_class_that_they_have_a_record_of() -> None:
    frame = {"id": [1, 1, 2, 2, 3], "x": [0] * 5}
    table = Table(frame, Roles(entity="id"))
    of_record = np.array([0, 1, 0, 1, 2], dtype=np.int32)
    assert RecordJudge(table, [KAnonymity(k=2)])(of_record, 3).tolist() == [True, True, False]
    assert labelled_classes(table, of_record).k == 1


def test_long_texts_have_many_levels_and_few_partitions() -> None:
    words = ["a" * 300, "b" * 300, "a" * 150 + "c" * 150, "d" * 300]
    frame = pl.DataFrame({"t": words, "items": [["u", "v"], ["u", "v"], ["u"], ["v"]]})
    ASKED.clear()
    step = mv.OptimalGeneralization(models=[Counting()], suppression_share=0.25)
    release = mv.run(mv.Recipe(roles=Roles(quasi_identifiers=["t"]), steps=[step]), frame)
    assert release.facts[0].facts["n_checked"] > 100
    assert len(ASKED) < 30


class Alike(KAnonymity):
    """The same model as a class of somebody's own, which is asked and not counted by a loop."""


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.booleans()), min_size=1),
    st.integers(2, 3),
    st.sampled_from(["kept", "dropped", "all_one", "renamed"]),
)
@settings(deadline=None)
def test_people_counted_by_a_loop_are_those_that_the_model_counts(
    rows: list[tuple[int, int, bool]], k: int, entity: str
) -> None:
    people = [person for person, *_ in rows]
    table = Table({"who": people}, Roles(entity="who"))
    if entity == "dropped":
        table = table.with_columns([pl.Series("other", people)]).drop(["who"])
    elif entity == "all_one":
        table = table.with_columns([pl.Series("who", [0] * len(rows))])
    elif entity == "renamed":
        table = table.with_columns([pl.Series("who", [min(one, 2) for one in people])])
    of_record = np.array([group for _, group, _ in rows], dtype=np.int32)
    kept = np.array([flag for *_, flag in rows])
    counted, asked = RecordJudge(table, [KAnonymity(k=k)]), RecordJudge(table, [Alike(k=k)])
    for mask in (None, kept):
        assert counted(of_record, 4, mask).tolist() == asked(of_record, 4, mask).tolist()


def test_other_models_are_not_asked_once_too_many_records_lack_company() -> None:
    ASKED.clear()
    table = Table({"who": [0, 1, 1, 2]}, Roles(entity="who"))
    judge = RecordJudge(table, [KAnonymity(k=2), Counting()])
    of_record = np.array([0, 0, 1, 1], dtype=np.int32)
    judge(of_record, 2, room=3)
    assert not ASKED
    judge(of_record, 2, room=4)
    assert ASKED
