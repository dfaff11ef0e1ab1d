"""Numbers that a state assigns to one person, by country."""

from __future__ import annotations

from collections.abc import Callable

from microveil.app.inspection.column import Column
from microveil.app.inspection.detectors.base import CODES, TEXT, TEXTS, Detector
from microveil.app.inspection.limits import MOSTLY_DISTINCT, VALUES_ALONE
from microveil.app.inspection.naming import Words
from microveil.files.columns import checksums
from microveil.texts import Message

_WHY = Message("inspect.national_number_given_one", "a national number is given to one person")


def _national(
    kind: str,
    noun: str,
    names: str,
    shape: str,
    *,
    check: Callable[[str], bool] | None = None,
    named_shape: str | None = None,
) -> Detector:
    """A detector for one country's number; one without letters is also found in numeric columns."""
    return Detector(
        kind=kind,
        noun=noun,
        role="identifier",
        why=_WHY,
        names=Words(names),
        forms=CODES,
        shape=TEXT.str.contains(f"^(?i:{shape})$"),
        named_shape=None if named_shape is None else TEXT.str.contains(f"^(?i:{named_shape})$"),
        check=check,
        alone=VALUES_ALONE,
    )


def _mostly_distinct(column: Column) -> bool:
    return column.counts.filled_distinction >= MOSTLY_DISTINCT


NATIONAL_IDS = (
    _national(
        "us_ssn",
        Message("inspect.us_social_security_numbers", "US social security numbers"),
        "ssn social_security*",
        # Bare digits have no check, so they need a matching name.
        r"\d{3}-\d{2}-\d{4}",
        named_shape=r"\d{3}[ -]?\d{2}[ -]?\d{4}",
        check=checksums.us_ssn,
    ),
    _national(
        "spanish_dni",
        Message("inspect.spanish_dni_nie_numbers", "Spanish DNI or NIE numbers"),
        "dni nie nif documento_identidad document_identitat",
        r"(\d{2}\.?\d{3}\.?\d{3}|[XYZ]-?\d{7})[ -]?[A-Z]",
        check=checksums.spanish_dni,
    ),
    _national(
        "estonian_isikukood",
        Message("inspect.estonian_personal_codes", "Estonian personal codes"),
        "isikukood personal_code ik",
        r"[1-8]\d{10}",
        check=checksums.estonian_isikukood,
    ),
    _national(
        "russian_snils",
        Message("inspect.russian_insurance_numbers_snils", "Russian insurance numbers (SNILS)"),
        "снилс snils",
        r"\d{3}-?\d{3}-?\d{3}[ -]?\d{2}",
        check=checksums.russian_snils,
    ),
    _national(
        "russian_inn",
        Message("inspect.russian_tax_numbers_inn", "Russian tax numbers (INN)"),
        "инн inn",
        r"\d{10}|\d{12}",
        check=checksums.russian_inn,
    ),
    _national(
        "german_tax_id",
        Message("inspect.german_tax_numbers", "German tax numbers"),
        "steuer_id* steuernummer steuer_identifikationsnummer idnr",
        r"[1-9]\d ?\d{3} ?\d{3} ?\d{3}",
        check=checksums.german_tax_id,
    ),
    _national(
        "french_nir",
        Message("inspect.french_social_security_numbers", "French social security numbers"),
        "nir numero_secu* insee securite_sociale",
        r"[1-478] ?\d{2} ?\d{2} ?(\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}",
        check=checksums.french_nir,
    ),
    _national(
        "italian_codice_fiscale",
        Message("inspect.italian_tax_codes", "Italian tax codes"),
        "codice_fiscale cod_fisc cf",
        # The letters L to V replace digits if two people would share a code.
        r"[A-Z]{6}[\dL-V]{2}[A-EHLMPRST][\dL-V]{2}[A-Z][\dL-V]{3}[A-Z]",
    ),
    _national(
        "british_nino",
        Message("inspect.british_national_insurance_numbers", "British national insurance numbers"),
        "nino national_insurance* ni_number",
        r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]",
    ),
    _national(
        "british_nhs",
        Message("inspect.british_health_service_numbers", "British health service numbers"),
        "nhs nhs_number",
        r"\d{3}[ -]?\d{3}[ -]?\d{4}",
        check=checksums.british_nhs,
    ),
    _national(
        "brazilian_cpf",
        Message("inspect.brazilian_taxpayer_numbers", "Brazilian taxpayer numbers"),
        "cpf",
        r"\d{3}\.?\d{3}\.?\d{3}-?\d{2}",
        check=checksums.brazilian_cpf,
    ),
    Detector(
        kind="document_number",
        noun=Message("inspect.numbers_personal_documents", "numbers of personal documents"),
        role="identifier",
        why=Message(
            "inspect.document_number_given_one", "a document's number is given to one person"
        ),
        names=Words(
            "passport* pasaporte* passaporte* passaporto* passeport* reisepass* *ausweis* "
            "паспорт* ssn snils снилс инн isikukood dni nie nif cpf curp cedula cnp pesel "
            "bsn pnr cpr cprnr personnr personnummer* national_id national_number identity_card "
            "id_card personal_number "
            "driver_licen* driving_licen* fuhrerschein* tax_id tax_number "
            "taxpayer* insurance_number social_security* health_card* medicare* "
            "license_plate number_plate matricula vin",
        ),
        forms=(*TEXTS, "whole"),
        fits=_mostly_distinct,
    ),
)
