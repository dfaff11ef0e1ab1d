"""Bank accounts and payment cards."""

from __future__ import annotations

from microveil.app.inspection.detectors.base import CODES, TEXT, Detector
from microveil.app.inspection.limits import VALUES_ALONE
from microveil.app.inspection.naming import Words
from microveil.files.columns import checksums
from microveil.texts import Message

IBAN = Detector(
    kind="iban",
    noun=Message("inspect.bank_accounts_iban", "bank accounts (IBAN)"),
    role="identifier",
    why=Message("inspect.account_number_leads_holder", "an account number leads to its holder"),
    names=Words("iban konto* cuenta* compte* conto счет bank_account account_number"),
    shape=TEXT.str.contains(r"^[A-Z]{2}\d{2}( ?[A-Z0-9]){11,30}$"),
    check=checksums.iban,
    alone=VALUES_ALONE,
    fewest=1,
)
CARD = Detector(
    kind="payment_card",
    noun=Message("inspect.payment_cards", "payment cards"),
    role="identifier",
    why=Message("inspect.card_number_leads_holder", "a card number leads to its holder"),
    names=Words("card* credit_card pan tarjeta* kreditkarte* carte carta cartao карт* kaart"),
    forms=CODES,
    # Issuers' prefixes, then Luhn's check: one random number in thirty passes.
    shape=TEXT.str.contains(r"^(3[47]|4|5[1-5]|2[2-7]|6)([ -]?\d){12,17}$"),
    check=checksums.luhn,
    alone=VALUES_ALONE,
)

PAYMENTS = (IBAN, CARD)
