"""Ids: of people and users, of records, and plain row numbers."""

from __future__ import annotations

from typing import cast

import polars as pl

from microveil.app.inspection.column import Column
from microveil.app.inspection.detectors.base import CODES, TEXT, Detector
from microveil.app.inspection.limits import FEWEST_RECORDS, MOSTLY_DISTINCT, VALUES_ALONE
from microveil.app.inspection.naming import ID_MARKS, LINKS, Words
from microveil.texts import Message

_PERSONS = (
    "user|person|patient|customer|client|member|subject|respondent|participant|account|"
    "employee|student|pupil|citizen|voter|passenger|donor|contact|worker|staff|player|driver|"
    "subscriber|cliente|paciente|usuario|persona|encuestado|empleado|alumno|pacient|usuari|"
    "treballador|kunde|kunden|nutzer|patienten|mitarbeiter|personal|pat|befragter|teilnehmer|versicherten|"
    "utilisateur|patiente|personne|salarie|repondant|adherent|utente|paziente|dipendente|"
    "funcionario|utilizador|inquirido|пациент|клиент|пользователь|сотрудник|респондент|"
    "абонент|студент|isik|isiku|kasutaja|klient|kliendi|patsient|patsiendi|tootaja"
)
# English words that end in "id" without being one.
_NO_IDS = (
    "paid unpaid prepaid valid invalid covid grid solid fluid liquid humid lipid void avoid bid "
    "kid acid rapid aid said mid hybrid thyroid steroid opioid android typhoid"
)
ANY_ID = Words("id *id", unless=_NO_IDS)
"""Names that only say that the column is an id."""


def _no_category(column: Column) -> bool:
    """Ids have many values; a column with few codes that is named like an id is a group."""
    return column.counts.n_distinct > min(FEWEST_RECORDS, column.counts.n_records // 4)


def _mostly_distinct(column: Column) -> bool:
    return column.counts.filled_distinction >= MOSTLY_DISTINCT


def _counts_records(column: Column) -> bool:
    """Whole numbers without gaps or duplicates: a count of the records."""
    counts = column.counts
    if counts.n_records < FEWEST_RECORDS or counts.n_distinct < counts.n_records:
        return False
    low, high = cast("int", column.series.min()), cast("int", column.series.max())
    return high - low + 1 == counts.n_records


PERSON_ID = Detector(
    kind="person_id",
    noun=Message("inspect.ids_persons", "ids of persons"),
    role="identifier",
    why=Message(
        "inspect.id_stands_one_person", "an id stands for one person in every table that has it"
    ),
    names=Words(
        f"={_PERSONS} {_PERSONS}_{ID_MARKS} {ID_MARKS}_{_PERSONS} {ID_MARKS}_{LINKS}_{_PERSONS} "
        "mrn nhc ipp medical_record_number|no historia_clinica lopnr lobenr loebenr "
        "username login nick* screen_name user_name handle pseudonym*",
        unless="type status group class category count segment",
    ),
    forms=CODES,
    fits=_no_category,
)
RANDOM_ID = Detector(
    kind="random_id",
    noun=Message("inspect.random_ids_hashes", "random ids or hashes"),
    role="identifier",
    why=Message(
        "inspect.id_stands_one_person_2",
        "an id stands for one person, device or event in every table that has it",
    ),
    names=Words("uuid guid hash* token"),
    shape=TEXT.str.contains(
        r"^\{?[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?$|^([0-9A-Fa-f]{32}){1,4}$"
    ),
    alone=VALUES_ALONE,
    fewest=1,
)
ROW_NUMBER = Detector(
    kind="row_number",
    noun=Message("inspect.row_numbers", "row numbers"),
    role="identifier",
    why=Message(
        "inspect.consecutive_numbers_preserve_order",
        "consecutive numbers preserve the order of the source, which leads back to its records",
    ),
    forms=("whole",),
    shape=pl.lit(True),
    alone=VALUES_ALONE,
    fits=_counts_records,
)
RECORD_ID = Detector(
    kind="record_id",
    noun=Message("inspect.ids_records", "ids of records"),
    role="identifier",
    why=Message(
        "inspect.number_own_leads_back",
        "a number of its own leads back to the record in its source",
    ),
    names=Words(
        "id *id uuid guid record case_number|no|nr serial* ticket* contract* policy registration* "
        "receipt invoice order dossier expediente aktenzeichen akte vertrag* contrat* договор* "
        "номер ид leping* toimik* identifier identificador kennung kennziffer matricule cookie "
        "device imei session transaction booking episode episodio episodi",
        unless=_NO_IDS + " type status class category count amount value price total sum cost date",
    ),
    forms=CODES,
    fits=_mostly_distinct,
)
GROUP_ID = Detector(
    kind="group_id",
    noun=Message("inspect.ids_records_share", "ids that records share"),
    role="quasi_identifier",
    why=Message(
        "inspect.id_records_share_shows", "an id that records share shows who belongs together"
    ),
    names=ANY_ID,
    forms=CODES,
    fits=_no_category,
)
CODE = Detector(
    kind="code",
    noun=Message("inspect.codes_categories", "codes of categories"),
    role="quasi_identifier",
    why=Message(
        "inspect.code_stands_category_others", "a code stands for a category that others may know"
    ),
    names=Words("code* *code kode* codigo* codi kood* код* kennung schlussel"),
    forms=CODES,
    fits=lambda column: not _mostly_distinct(column),
)

IDS = (PERSON_ID, RANDOM_ID, ROW_NUMBER, RECORD_ID, GROUP_ID)
OTHER_CODES = (CODE,)
NO_PERSON = Words(
    "product item article store shop order department dept region country city school hospital "
    "company firm brand category group class cluster device session transaction event page "
    "producto articulo tienda produkt artikel produit prodotto produto товар* toode campaign ad"
)
"""Ids that repeat without being a person's."""
