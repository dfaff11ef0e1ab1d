from __future__ import annotations

from microveil.files.write_report import WriteReport


def test_remarks_name_what_was_left_out_and_changed() -> None:
    report = WriteReport("a.dta", "stata", 2, 1, True, labels_dropped=("x",), changed=("It is.",))
    assert report.remarks() == ("The value labels of column 'x' were left out.", "It is.")
    assert report.to_dict()["changed"] == ["It is."]
    assert WriteReport("a.csv", "csv", 2, 1, True).remarks() == ()
