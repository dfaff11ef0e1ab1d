"""The owners' endpoints: data sets, budgets, keys, history, audit."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from microveil.dp import Loss
from microveil.service.api.access import OwnedData, OwnerKey, Shared, Visiting, open_data_set
from microveil.service.api.errors import RESPONSES, ApiError
from microveil.service.keys import Key
from microveil.service.ledger.amounts import write_amounts
from microveil.service.ledger.audit import audit
from microveil.service.ledger.book import Balance
from microveil.service.registry import analyst_account, data_account

router = APIRouter(prefix="/v1/owner", tags=["owners"], responses=RESPONSES)
NamePattern = Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")


class NewKey(BaseModel):
    """A key to create."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    analyst: Annotated[str, NamePattern]
    """The analyst who will hold it."""
    data: list[str] = Field(min_length=1, max_length=100)
    """Data sets that it gives access to."""
    group: Annotated[str, NamePattern] | None = None
    """Group whose members share paid answers; by default the analyst forms a group alone."""
    expires: AwareDatetime | None = None
    """When it expires."""


class KeyShown(BaseModel):
    """What is stored about a key."""

    id: str
    holder: str
    scope: list[str]
    created: str
    expires: str | None
    revoked: str | None


class KeyMade(KeyShown):
    """A new key; it is shown only once."""

    key: str


class Keys(BaseModel):
    """Analysts' keys for the owner's data sets."""

    keys: list[KeyShown]


class Account(BaseModel):
    """What an account may spend, has spent and has left."""

    cap: dict[str, str]
    spent: dict[str, str]
    left: dict[str, str]


class Accounts(BaseModel):
    """The shared account, and those of the analysts."""

    shared: Account
    analysts: dict[str, Account]


class NewBudget(BaseModel):
    """A budget to set."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    budget: Loss
    """The new cap; spent budget stays spent."""
    analyst: Annotated[str, NamePattern] | None = None
    """The analyst whose budget it is; by default the shared budget."""


class Done(BaseModel):
    """Confirmation."""

    done: bool = True


class Found(BaseModel):
    """What an audit found."""

    holds: bool
    n_entries: int
    n_reserved: int
    n_answered: int
    seal: str
    problems: list[str]
    n_signed: int | None
    """Entries with a valid signature; null if the service has no key to verify them."""
    sealed_from: int
    """Entry from which on data sets, analysts and keys are covered."""
    covers: list[str]
    """What is compared with the entries."""


class AllQuestions(BaseModel):
    """Paid queries of all analysts, newest first."""

    questions: list[dict[str, Any]]


@router.get("/keys")
def list_keys(key: OwnerKey, state: Shared) -> Keys:
    """List the analysts' keys for the owner's data sets."""
    known = state.registry.keys().values()
    mine = [one for one in known if one.role == "analyst" and set(one.scope) & set(key.scope)]
    return Keys(keys=[KeyShown(**_describe_key(one)) for one in mine])


@router.post("/keys", status_code=201)
def create_key(wanted: NewKey, key: OwnerKey, visit: Visiting, state: Shared) -> KeyMade:
    """Create a key for an analyst; it is shown only once."""
    for name in wanted.data:
        open_data_set(key, name, visit.snapshot)
    expires: datetime | None = wanted.expires
    given, kept = state.registry.create_key(
        state.secret, wanted.analyst, "analyst", wanted.data, group=wanted.group, expires=expires
    )
    state.forget()
    return KeyMade(key=given, **_describe_key(kept))


@router.delete("/keys/{key_id}")
def revoke_key(key_id: str, key: OwnerKey, state: Shared) -> Done:
    """Revoke an analyst's key."""
    found = state.registry.keys().get(key_id)
    if found is None or found.role != "analyst" or not set(found.scope) <= set(key.scope):
        raise ApiError(404, "no_such_key", "You have no such key to revoke.")
    state.registry.revoke(key_id)
    state.forget()
    return Done()


@router.get("/data/{name}/accounts")
def accounts(data: OwnedData, state: Shared) -> Accounts:
    """Return what was spent on a data set, in total and by analyst."""
    start = analyst_account(data.name, "")
    with state.registry.ledger.view() as view:
        every = view.accounts()
    return Accounts(
        shared=_account(every.get(data_account(data.name), {})),
        analysts={
            name.removeprefix(start): _account(balances)
            for name, balances in every.items()
            if name.startswith(start)
        },
    )


@router.put("/data/{name}/budget")
def set_budget(wanted: NewBudget, data: OwnedData, state: Shared) -> Done:
    """Change a cap; spent budget stays spent."""
    if bool(wanted.budget.rho) != bool(data.terms.budget.rho):
        raise ApiError(422, "invalid", "Set the budget in the currency of the data set.")
    account = data_account(data.name)
    if wanted.analyst is not None:
        account = analyst_account(data.name, wanted.analyst)
        if not state.registry.ledger.balances(account):
            raise ApiError(404, "no_such_analyst", "No analyst of that name has a key for it.")
    state.registry.set_budget(account, wanted.budget)
    return Done()


@router.post("/data/{name}/close")
def close(data: OwnedData, state: Shared) -> Done:
    """Close a data set to further queries."""
    state.registry.close(data.name)
    state.forget()
    return Done()


@router.get("/data/{name}/history")
def all_history(
    data: OwnedData, state: Shared, most: Annotated[int, Query(ge=1, le=1000)] = 100
) -> AllQuestions:
    """List the queries of all analysts with their answers."""
    wanted = min(most, state.settings.history)
    return AllQuestions(questions=state.desk.history(data, None, wanted))


@router.get("/audit")
def run_audit(
    key: OwnerKey, state: Shared, expected: Annotated[str | None, Query(max_length=64)] = None
) -> Found:
    """Verify the whole ledger; ``expected`` is a seal from an earlier audit."""
    del key
    return Found(**audit(state.registry.ledger, expected).to_dict())


def _describe_key(key: Key) -> dict[str, Any]:
    return {
        "id": key.id,
        "holder": key.holder,
        "scope": list(key.scope),
        "created": key.created,
        "expires": key.expires,
        "revoked": key.revoked,
    }


def _account(balances: dict[str, Balance]) -> Account:
    parts = {
        part: write_amounts({unit: getattr(balance, part) for unit, balance in balances.items()})
        for part in ("cap", "spent", "left")
    }
    return Account(**parts)
