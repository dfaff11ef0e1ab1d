from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from microveil.registry.chain import next_entry
from microveil.service.ledger.audit import _audit, audit, summary
from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.refusals import SignedLedgerError
from microveil.service.ledger.schema import ENTRIES, FAMILIES, HEAD
from microveil.service.ledger.steps import SetCaps
from microveil.service.ledger.view import View
from tests.service.ledger.cases import tamper
from tests.service.places import Place


def test_an_untouched_ledger_is_whole(used: Ledger) -> None:
    found = audit(used)
    assert (found.n_entries, found.n_reserved, found.n_answered) == (8, 4, 3)
    assert found.holds
    assert summary(found).startswith("The ledger is intact: 8 entries")
    assert audit(used, expected=found.seal).holds


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        (
            "UPDATE ledger_entries SET body = replace(body, '1/10', '1/20') WHERE seq = 3",
            "Entry 3 does not follow",
        ),
        ("DELETE FROM ledger_entries WHERE seq = 5", "Entry 6 does not follow"),
        ("DELETE FROM ledger_entries WHERE seq = 8", "The head counts 8"),
        ("UPDATE ledger_entries SET at = 'then' WHERE seq = 2", "Entry 2 does not follow"),
        ("UPDATE balances SET spent = '0'", "The epsilon of data set 'survey' does not"),
        ("UPDATE balances SET cap = '5'", "The epsilon of data set 'survey' does not"),
        ("UPDATE answers SET body = 'nicer' WHERE body = 'answer 2'", "Answers changed"),
        ("DELETE FROM answers WHERE body = 'answer 2'", "Answers changed"),
        (
            "UPDATE reservations SET question = 'other' WHERE question = 'question 1'",
            "Queries changed",
        ),
        ("DELETE FROM reservations WHERE question = 'question 0'", "Queries changed"),
    ],
)
def test_every_change_is_found(used: Ledger, statement: str, complaint: str) -> None:
    tamper(used, statement)
    found = audit(used)
    assert any(problem.startswith(complaint) for problem in found.problems), found.problems
    assert summary(found).startswith("The ledger is NOT intact")


@pytest.mark.parametrize("table", ["ledger_entries", "answers"])
@pytest.mark.parametrize("statement", ["UPDATE {} SET body = 'x'", "DELETE FROM {}"])
def test_the_database_itself_refuses_to_change_the_past(
    used: Ledger, table: str, statement: str
) -> None:
    with (
        pytest.raises(DBAPIError, match="append-only"),
        used.database.writing() as connection,
    ):
        connection.execute(text(statement.format(table)))
    assert audit(used).holds


def test_a_long_ledger_is_read_in_pieces(used: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("microveil.service.ledger.view._CHUNK", 3)
    assert audit(used).n_entries == 8


REGISTRY = [
    ("UPDATE families SET members = replace(members, '30', '10')", "Families"),
    ("UPDATE families SET version = 'other'", "Families"),
    (
        "INSERT INTO families SELECT 'x' || account, number, version, members, 1 FROM families",
        "Families",
    ),
    ("DELETE FROM families", "Families"),
    ("UPDATE data_sets SET declaration = replace(declaration, '110', '1')", "Data sets"),
    ("UPDATE data_sets SET source = '/elsewhere'", "Data sets"),
    ("UPDATE data_sets SET fingerprint = 'other' WHERE name = 'survey'", "Data sets"),
    ("UPDATE data_sets SET terms = replace(terms, 'region', 'sex')", "Data sets"),
    ("UPDATE data_sets SET public = '{}x'", "Data sets"),
    ("UPDATE data_sets SET state = 'closed' WHERE name = 'census'", "Data sets"),
    ("UPDATE data_sets SET expires = '2999-01-01'", "Data sets"),
    ("INSERT INTO analysts (name, asker_group) VALUES ('eve', 'health')", "Analysts"),
    ("UPDATE analysts SET asker_group = 'health' WHERE name = 'cleo'", "Analysts"),
    ("DELETE FROM analysts WHERE name = 'ann'", "Analysts"),
    ("UPDATE api_keys SET holder = 'cleo' WHERE holder = 'bob'", "Keys"),
    ("UPDATE api_keys SET role = 'owner' WHERE holder = 'bob'", "Keys"),
    ("UPDATE api_keys SET revoked = NULL", "Keys"),
    ("UPDATE api_keys SET expires = NULL", "Keys"),
    ("UPDATE api_keys SET hash = 'x' WHERE holder = 'bob'", "Keys"),
    ("DELETE FROM api_keys WHERE holder = 'bob'", "Keys"),
    ("UPDATE reservations SET answer_seq = NULL", "Answers changed"),
    ("UPDATE reservations SET answer_seq = answer_seq - 1", "Answers changed"),
    ("UPDATE reservations SET analyst = 'cleo'", "Queries changed"),
    ("UPDATE reservations SET asker_group = 'cleo'", "Queries changed"),
    ("UPDATE reservations SET version = 'other'", "Queries changed"),
    ("UPDATE reservations SET data = 'census'", "Queries changed"),
    ("UPDATE reservations SET seq = seq + 100", "Queries changed"),
    ("UPDATE reservations SET charges = replace(charges, '1/2', '1/4')", "Queries changed"),
    ("INSERT INTO answers VALUES ('nobody', 'x')", "Answers changed"),
    ("UPDATE balances SET unit = 'rho' WHERE account = 'data:survey'", "The epsilon of data set"),
    ("UPDATE ledger_head SET seq = 3", "The head counts"),
]


@pytest.fixture
def asked(place: Place, client: httpx.Client) -> Ledger:
    """A ledger of a service that answered queries which share a price."""
    for where in ("age < 30", "age >= 30"):
        plain = {"query": {"query": "count", "where": where}, "spend": {"epsilon": "1/2"}}
        headers = place.headers("ann")
        assert client.post("/v1/data/survey/query", json=plain, headers=headers).status_code == 200
    return place.home.open()


def test_everything_that_decides_a_price_is_covered(asked: Ledger) -> None:
    from microveil.service.ledger.schema import METADATA

    with asked:
        assert audit(asked).holds
        tried = {statement.replace("FROM ", "INTO ").split()[1] for statement, _ in REGISTRY}
        tried |= {statement.split()[2] for statement, _ in REGISTRY}
        assert set(METADATA.tables) - tried == {"ledger_entries"}
        for statement, complaint in REGISTRY:
            with asked.database.readers.connect() as connection:
                # Rolled back: each change is looked at alone.
                for table in ("ledger_entries", "answers"):
                    for verb in ("update", "delete"):
                        connection.execute(text(f"DROP TRIGGER {table}_no_{verb}"))
                connection.execute(text(statement))
                found = _audit(View(connection), None, None)
                connection.rollback()
            said = [one for one in found.problems if one.startswith(complaint)]
            assert said, (statement, found.problems)
        assert audit(asked).holds


def test_an_inserted_family_buys_nothing(place: Place, client: httpx.Client) -> None:
    """One forged row gave many answers for the price of none."""
    from microveil.service.ledger.families import Family, Member
    from microveil.service.registry import Registry

    with place.home.open() as ledger:
        version = Registry(ledger).data_set("survey").identity
        price = {"epsilon": Fraction(100)}
        for account in ("data:survey", "analyst:survey:ann"):
            forged = Family(account, 1, version, (Member("age < 0", price),) * 2, 10**6)
            with ledger.database.writing() as connection:
                connection.execute(FAMILIES.insert(), forged.row())
    plain = {"query": {"query": "count", "where": "age = 40"}, "spend": {"epsilon": 100}}
    reply = client.post("/v1/data/survey/query", json=plain, headers=place.headers("ann"))
    assert reply.status_code == 402


KEY = b"kept where the database is not, 32 bytes"


def test_a_signed_ledger_cannot_be_rewritten_without_the_key(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/ledger.db"
    with Ledger.open(url, create=True) as ledger:
        ledger.do(SetCaps("data:survey", {"epsilon": Fraction(1)}))
    with Ledger.open(url, key=KEY) as ledger:
        ledger.do(SetCaps("data:survey", {"epsilon": Fraction(2)}))
        ledger.do(SetCaps("data:survey", {"epsilon": Fraction(3)}))
        found = audit(ledger)
        assert found.holds
        assert found.n_signed == 2
        assert "signed with this key" in summary(found)
    for key in (None, b"x" * 32):
        with (
            Ledger.open(url, key=key) as ledger,
            pytest.raises(SignedLedgerError, match="MICROVEIL_AUDIT_KEY"),
        ):
            ledger.do(SetCaps("data:survey", {"epsilon": Fraction(4)}))
    with Ledger.open(url, key=b"x" * 32) as ledger:
        assert "another key" in " ".join(audit(ledger).problems)
    # Whoever has the database alone can write a consistent chain, but not sign it.
    with Ledger.open(url) as ledger:
        forged = next_entry(None, "now", "caps", {"account": "data:survey", "caps": {}})
        row = {**forged.__dict__, "signature": None}
        tamper(ledger, "DELETE FROM ledger_entries")
        with ledger.database.writing() as connection:
            connection.execute(text("DELETE FROM balances"))
            connection.execute(ENTRIES.insert(), row)
            connection.execute(HEAD.update().values(seq=1, hash=forged.hash))
        assert audit(ledger).holds
    with Ledger.open(url, key=KEY) as ledger:
        assert "no entry is signed" in " ".join(audit(ledger).problems)


def test_the_summary_says_what_is_covered(used: Ledger) -> None:
    said = summary(audit(used))
    for word in ("families", "declaration", "groups", "keys", "Not covered", "--expect"):
        assert word in said


def test_a_chain_cut_off_at_its_end_is_found_by_its_last_seal(used: Ledger) -> None:
    seal = audit(used).seal
    with used.view() as view:
        before = list(view.entries())[-2]
    tamper(used, "DELETE FROM ledger_entries WHERE seq = 8")
    tamper_head = f"UPDATE ledger_head SET seq = 7, hash = '{before.hash}'"  # noqa: S608
    with used.database.writing() as connection:
        connection.execute(text(tamper_head))
        connection.execute(text("DELETE FROM answers WHERE body = 'answer 3'"))
        connection.execute(text("UPDATE reservations SET answer_seq = NULL WHERE seq = 7"))
    assert audit(used).holds
    assert "expected seal" in audit(used, expected=seal).problems[0]
