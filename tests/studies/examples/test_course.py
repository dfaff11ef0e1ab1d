"""The course's tables can be loaded, and give the course's numbers."""

from __future__ import annotations

import microveil as mv
from microveil.studies.examples.course import COURSE


def test_every_table_has_rows_and_a_title() -> None:
    for one in COURSE.values():
        assert one.frame.height >= 4
        assert one.title


def test_the_course_s_linkage_comes_out_of_the_loaded_tables() -> None:
    names = ("course_table_9", "course_table_9_first", "course_table_9_second")
    original, first, second = (COURSE[name].frame for name in names)
    linkage = mv.RecordLinkage(standardize="none", worst_columns=False)
    assert round(linkage.measure(original, first).value, 6) == 0.6
    assert round(linkage.measure(original, second).value, 6) == 0.4


def test_table_2_is_table_3_with_names_but_for_one_zip() -> None:
    named, plain = COURSE["course_table_2"].frame, COURSE["course_table_3"].frame
    differing = [name for name in plain.columns if not named[name].equals(plain[name])]
    assert differing == ["zip"]
    assert (named["zip"] != plain["zip"]).sum() == 1
