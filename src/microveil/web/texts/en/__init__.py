"""English."""

from __future__ import annotations

from microveil.web.texts.en.pages import PAGES
from microveil.web.texts.en.protecting import PROTECTING

ENGLISH: dict[str, str] = PAGES | PROTECTING
