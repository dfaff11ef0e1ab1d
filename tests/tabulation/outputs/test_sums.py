from __future__ import annotations

from microveil.tabulation.outputs.sums import Key, margins_elsewhere, table_sums


def _table(rows: dict[tuple[str, ...], float | None]) -> tuple[dict[tuple[str, ...], Key], dict]:  # type: ignore[type-arg]
    places = {labels: frozenset(filter(None, labels)) for labels in rows}
    return places, {places[labels]: value for labels, value in rows.items()}


def _names(sums: list[tuple[Key, tuple[Key, ...]]]) -> dict[str, list[str]]:
    return {
        "×".join(sorted(total)): ["×".join(sorted(one)) for one in parts] for total, parts in sums
    }


def test_a_total_is_the_sum_of_the_top_labels_only() -> None:
    rows: dict[tuple[str, ...], float | None] = {
        ("",): 100_000,
        ("N",): 60_000,
        ("N1",): 25_000,
        ("N2",): 35_000,
        ("S",): 40_000,
    }
    assert _names(table_sums(*_table(rows))) == {"": ["N", "S"], "N": ["N1", "N2"]}


def test_parts_may_come_before_their_branch() -> None:
    rows: dict[tuple[str, ...], float | None] = {
        ("a1",): 25_111,
        ("a2",): 35_222,
        ("alpha",): 60_333,
        ("beta",): 40_444,
    }
    assert _names(table_sums(*_table(rows))) == {"alpha": ["a2", "a1"]}


def test_small_numbers_that_add_up_are_no_proof() -> None:
    assert table_sums(*_table({("x",): 30, ("y",): 10, ("z",): 20})) == []


def test_a_suppressed_part_does_not_hide_a_branch_that_others_show() -> None:
    rows: dict[tuple[str, ...], float | None] = {
        ("N", "m"): 600, ("N1", "m"): 250, ("N2", "m"): 350,
        ("N", "f"): 777, ("N1", "f"): 400, ("N2", "f"): 377,
        ("N", "x"): 50, ("N1", "x"): None, ("N2", "x"): 46,
    }  # fmt: skip
    assert _names(table_sums(*_table(rows)))["N×x"] == ["N1×x", "N2×x"]


def test_margins_of_another_table_need_to_agree() -> None:
    places = [("f", "a"), ("m", "a"), ("f", "b"), ("m", "b")]
    values = {frozenset(key): n for key, n in zip(places, [120.0, 130.0, 410.0, 5.0], strict=True)}
    fitting = {frozenset(["a"]): 250.0, frozenset(["b"]): 415.0}
    assert len(margins_elsewhere(places, values, fitting)) == 2
    assert margins_elsewhere(places, values, fitting | {frozenset(["b"]): 416.0}) == []
