"""Fitting: what a recipe learns from one table, applied to the next."""

from microveil.app.fitting.protector import Protector
from microveil.app.fitting.use_case import fit

__all__ = ["Protector", "fit"]
