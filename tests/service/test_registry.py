from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from microveil.dp import Loss
from microveil.errors import InputError
from microveil.service import keys
from microveil.service.owner_file import OwnerFile
from microveil.service.registry import Registry, analyst_account, data_account
from tests.service.places import OWNER, Place, make_place


@pytest.fixture
def home(tmp_path: Path) -> Place:
    return make_place(tmp_path, f"sqlite:///{tmp_path}/ledger.db")


def test_data_sets_and_keys_come_back_as_they_were_registered(home: Place) -> None:
    with home.home.open() as ledger:
        registry = Registry(ledger)
        assert set(registry.data_sets()) == {"survey", "census"}
        found = registry.data_set("survey")
        assert found.declaration == OwnerFile.of(OWNER).declaration
        assert registry.analysts()["bob"] == "health"
        with pytest.raises(InputError, match="Did you mean 'survey'"):
            registry.data_set("servey")
        with ledger.view() as view:
            accounts = view.accounts()
        assert accounts[data_account("survey")]["epsilon"].cap == 10
        assert accounts[analyst_account("survey", "ann")]["epsilon"].cap == 6


def test_answers_belong_to_one_version_of_the_data(home: Place) -> None:
    with home.home.open() as ledger:
        found = Registry(ledger).data_set("survey")
    assert replace(found, state="closed").identity == found.identity
    assert replace(found, fingerprint="other").identity != found.identity
    now = keys.now()
    assert found.is_open(now)
    assert not replace(found, state="closed").is_open(now)
    assert not replace(found, expires=(now - timedelta(1)).isoformat()).is_open(now)


def test_a_budget_is_set_and_a_data_set_closed(home: Place) -> None:
    with home.home.open() as ledger:
        registry = Registry(ledger)
        registry.set_budget(data_account("survey"), Loss.of(3))
        registry.close("survey")
        assert registry.data_set("survey").state == "closed"
        with ledger.view() as view:
            assert view.balances(data_account("survey"))["epsilon"].cap == 3
            assert view.balances("nobody") == {}


def test_nobody_joins_a_group_by_a_name_alone(home: Place) -> None:
    secret = home.home.secret()
    with home.home.open() as ledger:
        registry = Registry(ledger)
        with pytest.raises(InputError, match="There is a group 'health'"):
            registry.create_key(secret, "health", "analyst", ["survey"])
        with pytest.raises(InputError, match="'cleo' is an analyst who works alone"):
            registry.create_key(secret, "eve", "analyst", ["survey"], group="cleo")
        registry.create_key(secret, "health", "analyst", ["survey"], group="health")
        registry.create_key(secret, "cleo", "analyst", ["survey"])
        assert registry.analysts()["cleo"] == "cleo"
        assert "eve" not in registry.analysts()


def test_an_identity_changes_with_all_that_answers_depend_on(home: Place) -> None:
    with home.home.open() as ledger:
        found = Registry(ledger).data_set("survey")
    other = found.terms.model_copy(update={"complete": ("region",)})
    joined = found.terms.model_copy(update={"tables": {"places": "/places.csv"}})
    changed = [
        found,
        replace(found, fingerprint="other"),
        replace(found, declaration=found.declaration.model_copy(update={"size": 7})),
        replace(found, terms=other),
        replace(found, terms=joined, public={"places": "one"}),
        replace(found, terms=joined, public={"places": "two"}),
    ]
    assert len({one.identity for one in changed}) == len(changed)
    moved = joined.model_copy(update={"tables": {"places": "/elsewhere.csv"}})
    again = replace(found, terms=moved, public={"places": "two"})
    assert again.identity == changed[-1].identity
