"""The record of a release as provenance: rules, results and the checksums they are bound to.

The nouns are those of W3C PROV: entities (input, recipe, output), an activity (the run) and an
agent. Each disclosure rule stands there with its result, bound to the output by its SHA-256.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

CONTEXT = {"prov": "http://www.w3.org/ns/prov#", "microveil": "urn:microveil:"}


def provenance_of(record: Mapping[str, Any], made_by: str | None) -> dict[str, Any]:
    """The provenance in a record of a run; without outputs if nothing was written."""
    source, recipe = record["input"], record["recipe"]
    outputs = {
        f"microveil:output/{place}": {
            "prov:type": "prov:Entity",
            "microveil:sha256": one["sha256"],
            "microveil:n_rows": one["n_rows"],
            "prov:wasGeneratedBy": "microveil:run",
            "prov:wasDerivedFrom": "microveil:input",
        }
        for place, one in enumerate(record.get("written", ()))
    }
    activity: dict[str, Any] = {
        "prov:type": "prov:Activity",
        "prov:startedAtTime": record["started"],
        "prov:used": ["microveil:input", "microveil:recipe"],
        "microveil:version": record["microveil"],
        "microveil:steps": [one["method"] for one in record.get("steps", ())],
        "microveil:rules": rules_of(record),
    }
    if made_by:
        activity["prov:wasAssociatedWith"] = "microveil:responsible"
    agent = {"prov:type": "prov:Agent", "prov:label": made_by}
    return {
        "@context": CONTEXT,
        "entity": {
            "microveil:input": {"prov:type": "prov:Entity", "microveil:sha256": source["sha256"]},
            "microveil:recipe": {"prov:type": "prov:Plan", "microveil:sha256": recipe["sha256"]},
            **outputs,
        },
        "activity": {"microveil:run": activity},
        "agent": {"microveil:responsible": agent} if made_by else {},
    }


def rules_of(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each disclosure rule, what it required, what was reached, and whether it holds."""
    bound = [one["sha256"] for one in record.get("written", ()) if one.get("sha256")]
    return [
        {
            "rule": check.get("limit") or check.get("title") or check["model"],
            "required": check.get("required"),
            "achieved": check.get("achieved"),
            "holds": check["holds"],
            "bound_to": bound,
        }
        for check in record.get("checks", ())
    ]
