"""Queries about disjoint rows are paid once, whoever proposes what."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from microveil.service.ledger.audit import audit
from microveil.service.ledger.families import Family, Member, cost
from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.refusals import OverBudgetError
from microveil.service.ledger.steps import Granted, Reserve, SetCaps, Sharing
from tests.service.ledger.cases import TENTH, question, spent

ROWS = {
    "age < 10": range(10),
    "age >= 10 AND age < 20": range(10, 20),
    "age >= 20": range(20, 30),
    "age >= 5": range(5, 30),
    "age = 3 OR age = 25": (3, 25),
}
"""Filters, and the ages they keep, worked out by hand."""
ACCOUNT = "data:survey"


def share(text: str, where: str, family: Family | None, price: Fraction = TENTH) -> Reserve:
    joins = {} if family is None else {ACCOUNT: family}
    charges = {ACCOUNT: {"epsilon": price}}
    return Reserve(question(text), charges, sharing=Sharing(where, joins))


def founded(ledger: Ledger, step: Reserve) -> Family:
    granted = ledger.do(step)
    assert isinstance(granted, Granted)
    (family,) = granted.families
    return family


def stored(ledger: Ledger) -> list[Family]:
    with ledger.view() as view:
        return view.families(ACCOUNT, 0)


def test_the_dearest_counts_and_a_changed_row_counts_twice() -> None:
    prices = [{"epsilon": Fraction(n)} for n in (1, 3, 2)]
    assert cost(prices, both=False) == {"epsilon": 3}
    assert cost(prices, both=True) == {"epsilon": 5}
    assert cost([*prices, {"delta": Fraction(1, 10)}], both=False) == {
        "epsilon": 3,
        "delta": Fraction(1, 10),
    }
    family = Family(ACCOUNT, 1, "v1", tuple(Member("", one) for one in prices), 1)
    assert family.surcharge({"epsilon": Fraction(4)}, both=False) == {"epsilon": 1}
    assert family.surcharge({"epsilon": Fraction(4)}, both=True) == {"epsilon": 2}
    assert family.surcharge({"epsilon": Fraction(1)}, both=True) == {"epsilon": 0}


def test_a_query_about_other_rows_pays_what_it_adds(funded: Ledger) -> None:
    family = founded(funded, share("young", "age < 10", None))
    granted = funded.do(share("old", "age >= 10", family, 2 * TENTH))
    assert isinstance(granted, Granted)
    assert granted.charges == {ACCOUNT: {"epsilon": TENTH}}
    assert spent(funded, ACCOUNT) == 2 * TENTH
    assert funded.paid_queries()[-1].reservation.charges == granted.charges
    assert audit(funded).holds


def test_a_proposal_that_no_longer_fits_pays_alone(funded: Ledger) -> None:
    family = founded(funded, share("young", "age < 10", None))
    funded.do(share("old", "age >= 20", family))
    # Proposed before "old" had joined, with which it shares rows.
    alone = founded(funded, share("most", "age >= 15", family))
    assert alone.is_alone
    assert spent(funded, ACCOUNT) == 2 * TENTH
    assert [len(one.members) for one in stored(funded)] == [2]
    # One of several queries that is not stored was never paid for.
    unknown = Family(ACCOUNT, 10**6, "v1", alone.members * 2, 10**6)
    funded.do(share("nothing", "age < 5", unknown))
    assert spent(funded, ACCOUNT) == 3 * TENTH


def test_another_version_of_the_data_founds_its_own(funded: Ledger) -> None:
    family = founded(funded, share("young", "age < 10", None))
    asked = share("old", "age >= 10", family)
    newer = question("old").__class__("survey", "v2", "ann", "health", "old")
    funded.do(Reserve(newer, asked.charges, sharing=asked.sharing))
    assert spent(funded, ACCOUNT) == 2 * TENTH


ASKED = st.lists(
    st.tuples(
        st.sampled_from([None, *ROWS]),
        st.integers(1, 4).map(lambda n: n * TENTH),
        st.integers(0, 6),
        st.integers(0, 1),
    ),
    max_size=12,
)


@given(ASKED)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_what_is_spent_is_what_the_families_cost(
    ledger: Ledger, asked: list[tuple[str | None, Fraction, int, int]]
) -> None:
    ledger.do(SetCaps(ACCOUNT, {"epsilon": spent_so_far(ledger) + 1}))
    before, alone = spent_so_far(ledger), Fraction(0)
    seen: list[Family] = []  # every state there was: proposals may be out of date
    for number, (where, price, pick, _) in enumerate(asked):
        text = f"{len(ledger.paid_queries())} {number} {where}"
        if where is None:
            step = Reserve(question(text), {ACCOUNT: {"epsilon": price}})
        else:
            proposed = seen[pick % len(seen)] if seen and pick else None
            step = share(text, where, proposed, price)
        try:
            granted = ledger.do(step)
        except OverBudgetError:
            continue
        assert isinstance(granted, Granted)
        seen += granted.families
        alone += price if where is None else 0
    own = list({one.number: one for one in sorted(seen, key=lambda one: one.changed)}.values())
    dearest = sum(
        (max(member.price["epsilon"] for member in one.members) for one in own), Fraction(0)
    )
    assert spent_so_far(ledger) == before + alone + dearest
    for one in own:
        kept = [set(ROWS[member.where]) for member in one.members]
        assert all(a.isdisjoint(b) for a, b in combinations(kept, 2))
    assert audit(ledger).holds


def spent_so_far(ledger: Ledger) -> Fraction:
    found = ledger.balances(ACCOUNT)
    return found["epsilon"].spent if found else Fraction(0)
