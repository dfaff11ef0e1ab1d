"""Where people live: postcodes, coordinates, addresses, regions."""

from __future__ import annotations

from microveil.app.inspection.column import Column
from microveil.app.inspection.detectors.base import CODES, NUMBER, TEXT, Detector
from microveil.app.inspection.limits import FEWEST_RECORDS, MOSTLY_DISTINCT, VALUES_ALONE
from microveil.app.inspection.naming import Words
from microveil.texts import Message

# United Kingdom, Canada, the Netherlands: letters and digits in a specific order.
_LETTERED = (
    r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d|[1-9]\d{3} ?[A-Z]{2}"
)
# Digits, with a country prefix or an extension, the tail possibly masked already.
_DIGITS = (
    r"([A-Z]{1,2}-)?\d{3,7}|\d{5}-\d{3,4}|\d{4}-\d{3}|\d{2}-\d{3}|\d{3} \d{2}|\d{1,5}[*Xx]{1,5}"
)
_PAIR = r"^\(?-?\d{1,2}\.\d{2,}[,; ] ?-?\d{1,3}\.\d{2,}\)?$|^POINT ?\(-?[\d.]+ -?[\d.]+\)$"
_FRACTION = r"\.\d{2,}$"


def _mostly_distinct(column: Column) -> bool:
    return column.counts.filled_distinction >= MOSTLY_DISTINCT


POSTCODE = Detector(
    kind="postcode",
    noun=Message("inspect.postcodes", "postcodes"),
    role="quasi_identifier",
    why=Message(
        "inspect.postcode_known_everyone_who",
        "a postcode is known to everyone who knows the address",
    ),
    names=Words(
        "zip* postal* post_code* postcode* plz postleitzahl* codigo_postal codi_postal cod_postal "
        "code_postal cp cap cep индекс почтов* postiindeks sihtnumber postindex"
    ),
    forms=CODES,
    shape=TEXT.str.contains(f"^({_LETTERED})$"),
    named_shape=TEXT.str.contains(f"^({_LETTERED}|{_DIGITS})$"),
    alone=VALUES_ALONE,
    fewest=FEWEST_RECORDS,
)
LATITUDE = Detector(
    kind="latitude",
    noun=Message("inspect.latitudes", "latitudes"),
    role="quasi_identifier",
    why=Message("inspect.coordinates_point_home", "coordinates point to a home"),
    names=Words(
        "lat latitud* latnum gps_lat* breitengrad geo_lat широта laiuskraad latitudine breddegrad"
    ),
    forms=("decimal", "text"),
    shape=NUMBER.is_between(-90, 90) & TEXT.str.contains(_FRACTION),
)
LONGITUDE = Detector(
    kind="longitude",
    noun=Message("inspect.longitudes", "longitudes"),
    role="quasi_identifier",
    why=Message("inspect.coordinates_point_home", "coordinates point to a home"),
    names=Words(
        "lon lng long longitud* longnum gps_lon* laengdegrad langengrad laengengrad geo_lon "
        "долгота pikkuskraad"
    ),
    forms=("decimal", "text"),
    shape=NUMBER.is_between(-180, 180) & TEXT.str.contains(_FRACTION),
)
COORDINATES = Detector(
    kind="coordinates",
    noun=Message("inspect.pairs_coordinates", "pairs of coordinates"),
    role="quasi_identifier",
    why=Message("inspect.coordinates_point_home", "coordinates point to a home"),
    names=Words("coord* gps geo* lat_lon latlng location position point koordin* координат*"),
    shape=TEXT.str.contains(_PAIR),
    alone=VALUES_ALONE,
)
ADDRESS = Detector(
    kind="address",
    noun=Message("inspect.street_addresses", "street addresses"),
    role="identifier",
    why=Message("inspect.street_address_leads_one", "a street address leads to one household"),
    names=Words(
        "address* street* adresse* direccion* domicilio* adreca calle carrer strasse* *strasse "
        "rue indirizzo via endereco rua morada адрес* улица aadress* tanav house_number hausnummer",
        unless="ip mac email mail web url type",
    ),
    fits=_mostly_distinct,
)
PLACE = Detector(
    kind="place",
    noun=Message("inspect.places_living_work", "places of living or work"),
    role="quasi_identifier",
    why=Message("inspect.where_people_live_work", "where people live or work is known to many"),
    names=Words(
        "region* province* provincia state county district* municip* city town* village* commune* "
        "canton* area urban* rural urbrur location place residen* nuts lau neighbo* zone* "
        "block census_tract borough parish suburb address* street* comarca comunidad autonom* "
        "ciudad ciutat poblaci* localidad bundesland land* gemeinde* stadt ort wohnort kreis "
        "bezirk departement ville quartier regione comune citta distrito cidade bairro concelho "
        "freguesia регион* област* город* район* населен* край maakond linn vald kov kula embark* "
        "birth_place birthplace lugar_nacimiento geburtsort lieu_naissance luogo_nascita "
        "место_рождения sunnikoht municipi* kommune* *kommune =kom bopkom* *kommun kommunkod* "
        "gemeente* "
        "woonplaats provincie wojew* gmina powiat kunta* maakunta* laani =lan =amt sogn* bopael* "
        "bosted fylke* departement* departamento barrio colonia oblast* raion* omavalitsus*"
    ),
    forms=CODES,
)

PLACES = (POSTCODE, LATITUDE, LONGITUDE, COORDINATES, ADDRESS, PLACE)
