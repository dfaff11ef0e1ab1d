"""UAB (S0): a pandas module for anonymity, compared with sdcMicro."""

from microveil.studies.uab.study import Uab

__all__ = ["Uab"]
