"""E-mail, phone, network and web addresses."""

from __future__ import annotations

from microveil.app.inspection.column import Column
from microveil.app.inspection.detectors.base import CODES, TEXT, Detector
from microveil.app.inspection.limits import MOSTLY_DISTINCT, VALUES_ALONE
from microveil.app.inspection.naming import Words
from microveil.texts import Message

MAIL_INSIDE = r"[\w.+\-]+@[\w\-]+(\.[\w\-]+)*\.\p{L}{2,}"
"""An e-mail address anywhere in a text."""

_OCTET = r"(25[0-5]|2[0-4]\d|1?\d?\d)"
_IPV4 = rf"^({_OCTET}\.){{3}}{_OCTET}(/\d{{1,2}}|:\d{{1,5}})?$"
_IPV6 = r"^[0-9A-Fa-f]{0,4}(:[0-9A-Fa-f]{0,4}){2,7}$"
_MAC = r"^[0-9A-Fa-f]{2}([:-][0-9A-Fa-f]{2}){5}$|^[0-9A-Fa-f]{4}(\.[0-9A-Fa-f]{4}){2}$"
# Without a matching name, only forms with no other use: +1 212 …, (212) 555-….
_PHONE = (
    r"^\+\d[\d ().\-/]{5,20}\d$|^00\d{1,3}[ ().\-/][\d ().\-/]{5,20}\d$|"
    r"^(\(\d{3}\) ?|\d{3}-)\d{3}-\d{4}$"
)
_DIGITS_7_TO_15 = r"^(\D*\d){7,15}\D*$"
_PHONE_SIGNS = r"^[+(]?[\d ().\-/]+( ?(x|ext\.?) ?\d+)?$"


def _not_a_version(column: Column) -> bool:
    """1.2.3.4 may be a software version as well as an address."""
    return not Words("version* release* build* firmware").match(*column.names)


def _mostly_distinct(column: Column) -> bool:
    return column.counts.filled_distinction >= MOSTLY_DISTINCT


EMAIL = Detector(
    kind="email",
    noun=Message("inspect.mail_addresses", "e-mail addresses"),
    role="identifier",
    why=Message("inspect.mail_address_leads_one", "an e-mail address leads to one person"),
    names=Words("email* e_mail* mail correo* courriel posta_elettronica почта meil e_post epost"),
    shape=TEXT.str.contains(r"^[^@\s,;<>]+@[^@\s,;<>]+\.\p{L}{2,}$"),
    alone=VALUES_ALONE,
    fewest=1,
)
PHONE = Detector(
    kind="phone",
    noun=Message("inspect.phone_numbers", "phone numbers"),
    role="identifier",
    why=Message(
        "inspect.phone_number_leads_one", "a phone number leads to one person or household"
    ),
    names=Words(
        "phone* *phone mobile cell* tel telef* telemov* celular movil mobil handy fax msisdn "
        "rufnummer whatsapp cellulare телефон* тел мобильн* mobiil*",
        unless="type brand model plan minutes",
    ),
    forms=CODES,
    shape=TEXT.str.contains(_PHONE) & TEXT.str.contains(_DIGITS_7_TO_15),
    named_shape=TEXT.str.contains(_PHONE_SIGNS) & TEXT.str.contains(_DIGITS_7_TO_15),
    alone=VALUES_ALONE,
)
IP = Detector(
    kind="ip_address",
    noun=Message("inspect.ip_addresses", "IP addresses"),
    role="identifier",
    why=Message(
        "inspect.network_address_leads_subscriber", "a network address leads to a subscriber"
    ),
    names=Words("ip ipv ip_addr* ipaddr*"),
    # A clock's 12:30:15 fits no address, which has seven colons or a double one.
    shape=TEXT.str.contains(_IPV4)
    | (
        TEXT.str.contains(_IPV6)
        & (TEXT.str.contains("::", literal=True) | (TEXT.str.count_matches(":") == 7))  # noqa: PLR2004
    ),
    alone=VALUES_ALONE,
    fewest=1,
    fits=_not_a_version,
)
MAC = Detector(
    kind="mac_address",
    noun=Message("inspect.hardware_mac_addresses", "hardware (MAC) addresses"),
    role="identifier",
    why=Message("inspect.hardware_address_stays_one", "a hardware address stays with one device"),
    names=Words("mac mac_addr*"),
    shape=TEXT.str.contains(_MAC),
    alone=VALUES_ALONE,
    fewest=1,
)
URL = Detector(
    kind="url",
    noun=Message("inspect.web_addresses", "web addresses"),
    role="identifier",
    why=Message(
        "inspect.web_address_few_records",
        "a web address that few records share may be a personal page",
    ),
    names=Words("url* website homepage web_site profile_link link uri"),
    shape=TEXT.str.contains(r"^(?i)(https?|ftp)://\S+$|^www\.\S+\.\S+$"),
    alone=VALUES_ALONE,
    fewest=1,
    fits=_mostly_distinct,
)

CONTACTS = (EMAIL, PHONE, IP, MAC, URL)
