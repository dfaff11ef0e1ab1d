"""Detectors: one per kind of content, in a list you can read.

Among findings of the same strength the first in the list wins, so kinds that identify a person come
before those that merely describe one.
"""

from microveil.app.inspection.detectors.accounts import IDS, OTHER_CODES
from microveil.app.inspection.detectors.base import Detector, Finding, detect
from microveil.app.inspection.detectors.confidential import CONFIDENTIAL
from microveil.app.inspection.detectors.contacts import CONTACTS
from microveil.app.inspection.detectors.design import DESIGN
from microveil.app.inspection.detectors.events import EVENTS
from microveil.app.inspection.detectors.national_ids import NATIONAL_IDS
from microveil.app.inspection.detectors.payments import PAYMENTS
from microveil.app.inspection.detectors.personal import NAMES, PEOPLE
from microveil.app.inspection.detectors.places import PLACES

DETECTORS: tuple[Detector, ...] = (
    *NATIONAL_IDS,
    *PAYMENTS,
    *CONTACTS,
    *NAMES,
    *DESIGN,
    *IDS,
    *PLACES,
    *CONFIDENTIAL,
    *PEOPLE,
    *EVENTS,
    *OTHER_CODES,
)

__all__ = ["DETECTORS", "Detector", "Finding", "detect"]
