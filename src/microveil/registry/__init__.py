"""What has left before: the registry of releases, and what releases tell together; never data."""

from microveil.registry.attacking import intersection_attack
from microveil.registry.composing import Composition
from microveil.registry.entries import ReleaseEntry
from microveil.registry.registering import RegistryTerms
from microveil.registry.registry import Registry

__all__ = ["Composition", "Registry", "RegistryTerms", "ReleaseEntry", "intersection_attack"]
