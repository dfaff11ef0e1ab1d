"""When something happened, and free text about it."""

from __future__ import annotations

from microveil.app.inspection.column import Column
from microveil.app.inspection.detectors.base import DATE, TEXT, Detector
from microveil.app.inspection.limits import FEW_CATEGORIES, LONG_TEXT, VALUES_ALONE
from microveil.app.inspection.naming import Words
from microveil.texts import Message

_CLOCK = r"\d{1,2}:\d{2}"
_WHEN = Message(
    "inspect.intruder_who_knows_when", "an intruder who knows when it happened finds the record"
)


def _many(column: Column) -> bool:
    return column.counts.n_distinct > FEW_CATEGORIES


TIMESTAMP = Detector(
    kind="timestamp",
    noun=Message("inspect.points_time", "points in time"),
    role="quasi_identifier",
    why=_WHEN,
    names=Words("time* date* created* updated* *_at moment heure hora zeit* ora время aeg"),
    forms=("datetime", "text"),
    shape=DATE.is_not_null() & (TEXT.is_null() | TEXT.str.contains(_CLOCK)),
    alone=VALUES_ALONE,
)
EVENT_DATE = Detector(
    kind="date",
    noun=Message("inspect.dates", "dates"),
    role="quasi_identifier",
    why=_WHEN,
    names=Words("date* *date datum* *datum fecha* data giorno дата* kuupaev*"),
    forms=("date", "text"),
    shape=DATE.is_not_null() & (TEXT.is_null() | ~TEXT.str.contains(_CLOCK)),
    alone=VALUES_ALONE,
)
DATE_PART = Detector(
    kind="date_part",
    noun=Message("inspect.years_months_days", "years, months or days"),
    role="quasi_identifier",
    why=_WHEN,
    names=Words(
        "year month day week quarter season weekday ano mes dia semana jahr monat woche "
        "annee mois jour anno mese giorno год месяц день aasta kuu paev",
        unless="income salar* cost* n num number per",
    ),
    forms=("whole", "text", "date"),
)
FREE_TEXT = Detector(
    kind="free_text",
    noun=Message("inspect.free_text", "free text"),
    role="identifier",
    why=Message("inspect.free_text_may_name", "free text may name anybody"),
    names=Words(
        "comment* note notes description* remark* feedback text message* opinion* observaci* "
        "comentari* bemerkung* kommentar* notiz* commentaire* remarque* osservazion* nota notas "
        "комментар* примечан* замечан* markus* kommentaar*"
    ),
    shape=(TEXT.str.len_chars() >= LONG_TEXT) & (TEXT.str.count_matches(r"\s+") >= 4),  # noqa: PLR2004
    named_shape=TEXT.str.count_matches(r"\s+") >= 2,  # noqa: PLR2004  three words, as said above
    alone=0.3,
    named=0.2,
    fits=_many,
)

EVENTS = (FREE_TEXT, TIMESTAMP, EVENT_DATE, DATE_PART)
