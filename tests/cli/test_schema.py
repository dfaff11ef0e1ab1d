from __future__ import annotations

import json

from tests.cli.conftest import Cli


def test_schema_is_a_json_schema(cli: Cli) -> None:
    plain = json.loads(cli("schema").out)
    assert plain["$schema"].startswith("https://json-schema.org/")
    assert set(plain["properties"]) >= {"roles", "steps", "require"}
