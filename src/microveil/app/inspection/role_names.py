"""What roles are called."""

from __future__ import annotations

from collections.abc import Mapping

from microveil.app.inspection.result import Role
from microveil.texts import Message

ROLE_NAMES: Mapping[Role, Message] = {
    "identifier": Message("role_name.identifier", "identifier"),
    "quasi_identifier": Message("role_name.quasi_identifier", "quasi-identifier"),
    "sensitive": Message("role_name.sensitive", "sensitive"),
    "insensitive": Message("role_name.insensitive", "insensitive"),
    "weight": Message("role_name.weight", "weight"),
    "strata": Message("role_name.strata", "strata"),
    "household": Message("role_name.household", "household"),
    "entity": Message("role_name.entity", "entity"),
}
"""Each role as the field calls it."""
