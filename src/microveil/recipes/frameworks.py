"""Frameworks: the published rules that a recipe may follow, by name."""

from __future__ import annotations

from collections.abc import Mapping

FRAMEWORKS: Mapping[str, str] = {
    "ehds": "European Health Data Space: only non-personal data leave",
    "hipaa_safe_harbor": "HIPAA Safe Harbor",
    "hipaa_expert_determination": "HIPAA Expert Determination",
    "ema_0070": "EMA Policy 0070",
    "nist_sp_800_188": "NIST SP 800-188",
    "iso_27559": "ISO/IEC 27559",
}
"""Each with its title; a report of the release has a checklist for those that it follows."""
