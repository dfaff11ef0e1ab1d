"""Fitting: what a recipe learns from one table, applied to the next."""

from microveil.app.fitting.cross_validating import CrossValidation, cross_validate
from microveil.app.fitting.protector import Protector
from microveil.app.fitting.use_case import fit

__all__ = ["CrossValidation", "Protector", "cross_validate", "fit"]
