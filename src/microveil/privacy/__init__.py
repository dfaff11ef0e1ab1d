"""Promises about a table: one file per privacy model."""

from microveil.privacy.base import Check, PrivacyModel
from microveil.privacy.k_anonymity import KAnonymity
from microveil.specs import Registry

MODELS = Registry[PrivacyModel]("model", KAnonymity)

__all__ = ["MODELS", "Check", "KAnonymity", "PrivacyModel"]
