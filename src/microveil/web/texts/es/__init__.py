"""Spanish."""

from __future__ import annotations

from microveil.web.texts.es.pages import PAGES
from microveil.web.texts.es.protecting import PROTECTING

SPANISH: dict[str, str] = PAGES | PROTECTING
