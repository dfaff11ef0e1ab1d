"""The owner's commands, as they are typed."""

from __future__ import annotations

from tests.cli.serve.cases import ADD
from tests.cli.serve.conftest import Shell


def test_a_key_for_what_is_not_there_is_refused(shell: Shell) -> None:
    shell(ADD)
    assert "Did you mean 'survey'" in shell("key ann --data surve", code=2)
    assert "letter" in shell("key 1ann --data survey", code=2)
    assert "--expires is a day" in shell("key ann --data survey --expires soon", code=2)
    shell("key ann --data survey --group health")
    assert "already in the group 'health'" in shell("key ann --data survey --group other", code=2)
    assert "no key with this id" in shell("revoke 123", code=2)
