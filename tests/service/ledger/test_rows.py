from __future__ import annotations

from typing import Any

import pytest

from microveil.errors import InputError
from microveil.service.ledger.audit import audit
from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.rows import Change, Put, place_of, seal_of


def put(ledger: Ledger, name: str, group: str) -> None:
    row = {"name": name, "asker_group": group}
    ledger.do(Put("analyst", {"name": name}, (Change("analysts", name, lambda *_: row),)))


def test_a_row_is_sealed_by_the_entry_that_wrote_it(ledger: Ledger) -> None:
    put(ledger, "ann", "one")
    put(ledger, "ann", "two")
    with ledger.view() as view:
        seals = view.row_seals()
        (*_, last) = view.entries()
    row = {"asker_group": "two", "name": "ann"}
    assert seals == {place_of("analysts", row): seal_of(row)}
    assert last.facts["rows"] == seals
    assert audit(ledger).holds


def test_a_change_sees_the_row_as_it_is_and_may_refuse_or_leave_it(ledger: Ledger) -> None:
    put(ledger, "ann", "one")
    seen: list[Any] = []

    def leaves(row: Any, _: Any) -> None:
        seen.append(row)

    def refuses(row: Any, _: Any) -> Any:
        del row
        raise InputError("no")

    ledger.do(Put("nothing", {}, (Change("analysts", "ann", leaves),)))
    assert seen == [{"name": "ann", "asker_group": "one"}]
    with pytest.raises(InputError, match="no"):
        ledger.do(Put("refused", {}, (Change("analysts", "ann", refuses),)))
    found = audit(ledger)
    assert found.holds
    assert found.n_entries == 2
