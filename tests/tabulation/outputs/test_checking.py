from __future__ import annotations

from pathlib import Path

import microveil as mv


def _write(folder: Path, **tables: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in tables.items():
        (folder / f"{name}.csv").write_text(text)
    return folder


def _fails(folder: Path, limits: mv.RiskAppetite | None = None, **more: Path) -> dict[str, float]:
    found = mv.check_outputs(folder, limits, **more)
    return {one.cell: one.value for one in found.findings if "derived" in one.reason}


def test_two_geographies_give_their_difference_away(tmp_path: Path) -> None:
    # The handbook's case of geographical differencing: [2 1; 2 0; 0 0].
    one = "age,m,f\nyoung,50,54\nmiddle,128,140\nold,39,49\n"
    other = "age,m,f\nyoung,52,55\nmiddle,130,140\nold,39,49\n"
    found = _fails(_write(tmp_path / "o", town=one, district=other))
    assert found == {"m × young": 2, "f × young": 1, "m × middle": 2}


def test_linked_tables_give_the_women_away(tmp_path: Path) -> None:
    # The handbook's case of linking: females 1, 5 and 4, one of them unique.
    folder = _write(
        tmp_path / "o",
        employment="who,count\nemployed,85\nnot employed,17\nTotal,102\n",
        area="who,count\nworking,49\nliving,102\nboth,22\n",
        males="who,sex,count\nboth,males,21\nlives only,males,58\nworks only,males,23\n",
    )
    (folder / "_links.yaml").write_text(
        "sums:\n- {total: employed, parts: [both, lives only]}\n"
        "- {total: working, parts: [both, works only]}\n"
    )
    found = _fails(folder)
    women = {cell: n for cell, n in found.items() if "not males" in cell}
    assert women == {
        "both × not males": 1, "lives only × not males": 5, "not males × works only": 4,
        "employed × not males": 6, "not males × working": 5,
    }  # fmt: skip


def test_linked_tables_give_the_women_away_without_any_help(tmp_path: Path) -> None:
    folder = _write(
        tmp_path / "o",
        employment="who,count\nemployed,85\nnot employed,17\nTotal,102\n",
        area="who,count\nworking,49\nliving,102\nboth,22\n",
        males="who,sex,count\nboth,males,21\nlives only,males,58\nworks only,males,23\n",
    )
    found = {one.cell: one for one in mv.check_outputs(folder).findings}
    assert (found["both × not males"].value, found["both × not males"].verdict) == (1, "fail")
    for cell, n in (("lives only × not males", 5), ("not males × works only", 4)):
        assert (found[cell].value, found[cell].verdict) == (n, "review")
        assert "is the sum of both and" in found[cell].reason


def test_a_total_in_another_table_gives_a_suppressed_cell_back(tmp_path: Path) -> None:
    folder = _write(
        tmp_path / "o",
        cross="town,f,m\nAmes,120,*\nBern,230,244\nCork,310,290\n",
        towns="Gemeinde,n\nAMES,126\nBern,474\ncork,600\nInsgesamt,1200\n",
    )
    assert _fails(folder)["Ames × m"] == 6


def test_branches_are_recognised_by_their_numbers(tmp_path: Path) -> None:
    text = "code,a,b\nTotal,1000,900\nNorth,600,500\nN1,250,x\nN2,350,495\nSouth,400,400\n"
    folder = _write(tmp_path / "o", t=text + "S1,180,150\nS2,220,250\n")
    assert _fails(folder) == {"N1 × b": 5}


def test_a_file_of_codes_tells_branches(tmp_path: Path) -> None:
    folder = _write(tmp_path / "o", one="area,n\nNorth,126\n", other="area,n\nN1,120\n")
    assert mv.check_outputs(folder).verdict == "pass"
    (folder / "area.hrc").write_text("North\n@N1\n@N2\n")
    assert _fails(folder) == {"N2": 6}


def test_harmless_folders_do_not_fail(tmp_path: Path) -> None:
    """Tables of other years or groups, totals that fit, branches, rounded counts."""
    folder = _write(
        tmp_path / "o",
        y2019="age,m,f\nyoung,150,154\nmiddle,328,340\nold,139,149\n",
        y2020="age,m,f\nyoung,252,131\nmiddle,311,365\nold,120,188\n",
        town="region,n\nTotal,1000\nNorth,600\nN1,250\nN2,350\nSouth,400\n",
        other="kind,value\nx,812\ny,77\n",
    )
    assert mv.check_outputs(folder).verdict == "pass"


def test_differences_of_rounded_counts_tell_nothing(tmp_path: Path) -> None:
    folder = _write(
        tmp_path / "o",
        one="age,m\nyoung,50\nold,40\nlate,75\n",
        other="age,m\nyoung,55\nold,40\nlate,75\n",
    )
    assert mv.check_outputs(folder, mv.RiskAppetite.preset("opensafely")).verdict == "pass"
    assert mv.check_outputs(folder).verdict == "fail"


def test_two_tables_without_equal_cells_are_for_a_person(tmp_path: Path) -> None:
    folder = _write(tmp_path / "o", one="a,m\nx,50\ny,40\n", other="a,m\nx,54\ny,70\n")
    assert mv.check_outputs(folder).verdict == "review"


def test_other_classes_give_the_class_between_away(tmp_path: Path) -> None:
    # The handbook's case of subpopulations: 20 to 24 hours, one man.
    limits = mv.RiskAppetite(threshold=3)
    folder = _write(
        tmp_path / "o",
        one="hours,males\n<20,6\n20-39,9\n",
        other="hours,males\n<25,7\n25-39,8\n",
    )
    assert _fails(folder, limits) == {"20-24 × males": 1}


def test_what_was_accepted_before_counts(tmp_path: Path) -> None:
    before = _write(tmp_path / "before", t="age,m\nyoung,50\nold,40\n")
    now = _write(tmp_path / "now", t="age,m\nyoung,53\nold,40\n")
    assert mv.check_outputs(now).verdict == "pass"
    found = mv.check_outputs(now, accepted=before)
    assert found.verdict == "fail"
    assert [one.cell for one in found.findings] == ["m × young"]
    assert "accepted: t.csv" in found.findings[0].tables


def test_small_and_unrounded_counts_fail(tmp_path: Path) -> None:
    folder = _write(tmp_path / "o", t="age,m\nyoung,4\nold,41\n")
    found = mv.check_outputs(folder, mv.RiskAppetite.preset("opensafely"))
    assert [one.reason for one in found.findings] == [
        "has 4 people, below 8",
        "is no multiple of 5",
    ]
