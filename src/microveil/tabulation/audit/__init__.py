"""The audit: what an intruder can compute, by code that the protections do not share."""

from microveil.tabulation.audit.programs import Intervals, audit_cells
from microveil.tabulation.audit.verdict import Verdict, verify_pattern

__all__ = ["Intervals", "Verdict", "audit_cells", "verify_pattern"]
