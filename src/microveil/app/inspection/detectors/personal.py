"""Visible attributes of people: names, birth, sex, family, education, work, origin."""

from __future__ import annotations

from datetime import UTC, date, datetime

import polars as pl

from microveil.app.inspection.column import Column
from microveil.app.inspection.detectors.base import (
    CATEGORIES,
    CODES,
    DATE,
    NUMBER,
    NUMBERS,
    TEXT,
    Detector,
)
from microveil.app.inspection.limits import (
    FEW_CATEGORIES,
    FEWEST_RECORDS,
    LIFETIME_SPAN,
    NEARLY_UNIQUE,
    OLDEST_AGE,
    OLDEST_YEAR,
    VALUES_ALONE,
)
from microveil.app.inspection.naming import Words
from microveil.texts import Message

_VISIBLE = Message(
    "inspect.colleagues_neighbours_public_profiles",
    "colleagues, neighbours and public profiles know it",
)
_SPECIAL = Message(
    "inspect.visible_others_special_category",
    "it is visible to others, and a special category of personal data besides",
)

# Two or three capitalised words, possibly with particles (de, van, von …) between them.
_FULL_NAME = (
    r"^\p{Lu}[\p{L}'’\-]+,?( (de|del|de la|la|van|von|van der|der|di|da|dos|y|i|al|bin))*"
    r"( \p{Lu}[\p{L}'’.\-]*){1,2}$"
)
_LETTERS_ONLY = r"""^\p{L}[\p{L}\s,.'’`"()\-/]*$"""
_AGE_BAND = r"^\D{0,4}\d{1,3}(\D{1,4}\d{1,3})?\D{0,6}$"


def _last_year() -> int:
    return datetime.now(UTC).year


def _born_between() -> pl.Expr:
    """From the birth of the oldest living person until now, for dates."""
    return DATE.is_between(date(OLDEST_YEAR, 1, 1), date(_last_year(), 12, 31))


def _spread_like_births(column: Column) -> bool:
    """Events cluster within some years; births spread over a lifetime."""
    if NAMED_BIRTH.match(*column.names):
        return True
    dates = column.views["date"].drop_nulls()
    if len(dates) < FEWEST_RECORDS:
        return False
    years = dates.dt.year().cast(pl.Float64)
    return float(years.quantile(0.95) or 0) - float(years.quantile(0.05) or 0) >= LIFETIME_SPAN


def _few(column: Column) -> bool:
    return column.counts.n_distinct <= FEW_CATEGORIES


def _many_names(column: Column) -> bool:
    """Labels of products or firms are capitalised too, but names of people rarely repeat."""
    if PERSON_NAMES.match(*column.names):
        return True
    counts = column.counts
    return counts.n_records >= FEWEST_RECORDS and counts.filled_distinction >= NEARLY_UNIQUE


PERSON_NAMES = Words(
    "=name =names full_name first_name last_name given_name family_name middle_name maiden_name "
    "fore_name forename* sur_name surname* fname lname firstname lastname "
    "person_name patient_name customer_name client_name employee_name student_name "
    "=nombre nombres nombre_completo apellido* =nom noms nom_complet cognom cognoms "
    "vorname* nachname* familienname geburtsname vollname prenom* nom_de_famille nom_famille "
    "=nome nomes nome_completo cognome* sobrenome apelido nominativo "
    "имя фамилия отчество фио =nimi eesnimi perekonnanimi perenimi taisnimi",
    unless="product item file brand company firm country city town street school hospital region "
    "state department column field variable category domain host user utility store shop team "
    "project event drug disease job group class type plan",
)
NAMED_BIRTH = Words(
    "birth* dob bday nacim* fecha_nac naixement geburt* geb_datum gebdat naiss* nascita "
    "nascimento рожд* sunni* foed* fodsels* fodelse* foddato syntym* geboorte* urodz*",
    unless="place country city weight order rate year jahr annee ano anno год aasta name ort lugar "
    "lieu luogo место koht control",
)

PERSON_NAME = Detector(
    kind="person_name",
    noun=Message("inspect.names_persons", "names of persons"),
    role="identifier",
    why=Message("inspect.name_identifies_person", "a name identifies a person"),
    names=PERSON_NAMES,
    shape=TEXT.str.contains(_FULL_NAME),
    named_shape=TEXT.str.contains(_LETTERS_ONLY),
    alone=NEARLY_UNIQUE,
    fits=_many_names,
)
BIRTH_DATE = Detector(
    kind="birth_date",
    noun=Message("inspect.dates_birth", "dates of birth"),
    role="quasi_identifier",
    why=Message(
        "inspect.date_birth_widely_known",
        "a date of birth is widely known and nearly singles people out",
    ),
    names=NAMED_BIRTH,
    forms=("date", "datetime", "text", "whole"),
    shape=_born_between(),
    # 19800131 as a number
    named_shape=_born_between() | NUMBER.is_between(19000101, 20991231),
    alone=VALUES_ALONE,
    fits=_spread_like_births,
)
BIRTH_YEAR = Detector(
    kind="birth_year",
    noun=Message("inspect.years_birth", "years of birth"),
    role="quasi_identifier",
    why=Message("inspect.age_person_widely_known", "the age of a person is widely known"),
    names=Words(
        "birth_year year_of_birth yob byear ano_nacimiento ano_de_nacimiento any_naixement "
        "geburtsjahr annee_naissance annee_de_naissance anno_nascita anno_di_nascita "
        "ano_nascimento ano_de_nascimento год_рождения sunniaasta"
    ),
    forms=NUMBERS,
    shape=NUMBER.is_between(OLDEST_YEAR, _last_year()),
)
AGE = Detector(
    kind="age",
    noun=Message("inspect.ages", "ages"),
    role="quasi_identifier",
    why=Message("inspect.age_person_widely_known", "the age of a person is widely known"),
    names=Words(
        "age ages aged agegroup age_group agegrp age_years edad* edat =alter altersgruppe idade* "
        "eta "
        "возраст* vanus* =alder alder* =alder_ar ika leeftijd* wiek"
    ),
    forms=NUMBERS,
    shape=NUMBER.is_between(0, OLDEST_AGE) | TEXT.str.contains(_AGE_BAND),
)
SEX = Detector(
    kind="sex",
    noun=Message("inspect.sex_gender", "sex or gender"),
    role="quasi_identifier",
    why=_VISIBLE,
    names=Words(
        "sex gender sexo genero genere geschlecht sexe genre sesso пол sugu koen kon kjonn "
        "sukupuoli geslacht plec pohlavi",
        unless="orientation",
    ),
    forms=CATEGORIES,
    fits=_few,
)
MARITAL_STATUS = Detector(
    kind="marital_status",
    noun=Message("inspect.marital_status", "marital status"),
    role="quasi_identifier",
    why=_VISIBLE,
    names=Words(
        "marital* marstat* married civil civil_status hhcivil estado_civil estat_civil spouse "
        "familienstand situation_matrimoniale etat_civil stato_civile семейн* брак* perekonnaseis "
        "matrimon* zivilstand civst civilst* sivilstand* siviilisaaty burgerlijke_staat"
    ),
    forms=CATEGORIES,
)
FAMILY = Detector(
    kind="family",
    noun=Message("inspect.family_household_make_up", "family or household make-up"),
    role="quasi_identifier",
    why=Message(
        "inspect.neighbours_know_who_lives", "neighbours know who lives together and can count them"
    ),
    names=Words(
        "household_size hh_size hhsize hhsz numper antpers* size_of_household hogar_tam* "
        "haushaltsgrosse number_of_household_members anzahl_personen "
        "tamano_hogar tamano_del_hogar personas_hogar personas_en_el_hogar nombre_de_personnes "
        "taille_menage family_size famsize *children kids sibsp parch siblings parents relat "
        "relationship* kinship parentesco verwandt* kinder* hijos fills enfants figli filhos "
        "дети детей lapsed laste n_members members n_persons family_type household_type"
    ),
    forms=CATEGORIES,
)
EDUCATION = Detector(
    kind="education",
    noun=Message("inspect.education", "education"),
    role="quasi_identifier",
    why=_VISIBLE,
    names=Words(
        "educ* school* degree* qualification* bildung* schul* abschluss ausbildung* diplom* "
        "estudi* titulacion escolar* etudes niveau_etude* istruzione titolo_studio "
        "titolo_di_studio образован* haridus* uddann* utdann* utbild* hfaudd* koulut* opleiding* "
        "wyksztalc*"
    ),
    forms=CATEGORIES,
)
OCCUPATION = Detector(
    kind="occupation",
    noun=Message("inspect.occupation_employer", "occupation or employer"),
    role="quasi_identifier",
    why=_VISIBLE,
    names=Words(
        "occu* *occu job* profession* work_class employ* industry sector company "
        "isco* nace* beruf* metier* profesion* ofici ocupaci* professione profissao emprego "
        "empleo empresa arbeitgeber branche профес* должност* занят* работ* amet* tookoht "
        "stilling* erhverv* yrke* ammatti* beroep* "
        "zawod* disco* socio*"
    ),
    forms=CATEGORIES,
)
ORIGIN = Detector(
    kind="origin",
    noun=Message("inspect.nationality_origin_language", "nationality, origin or language"),
    role="quasi_identifier",
    why=_VISIBLE,
    names=Words(
        "national* citizen* country* native* birth_country country_of_birth origin* immigra* "
        "migra* foreign* pais* nacionali* staatsang* pays* paese cittadinanza naturalidade "
        "гражданств* стран* национальн* kodakond* riik language* lang mother_tongue idioma* lengua "
        "llengua sprache muttersprache langue lingua язык* keel emakeel statsb* oprind* opr_land "
        "ie_type nationalit* herkomst* medborgar* statsborger*"
    ),
    forms=CATEGORIES,
)
ETHNICITY = Detector(
    kind="ethnicity",
    noun=Message("inspect.race_ethnicity", "race or ethnicity"),
    role="quasi_identifier",
    why=_SPECIAL,
    names=Words(
        "race ethnic* etni* ethni* raza raca rasse rahvus раса этнос* tribe caste indigen*"
    ),
    forms=CATEGORIES,
)
BODY_MEASURE = Detector(
    kind="body_measure",
    noun=Message("inspect.body_measures", "body measures"),
    role="quasi_identifier",
    why=Message("inspect.others_can_see_estimate", "others can see it or estimate it"),
    names=Words(
        "height stature bmi body_weight weight_kg weight_lb* eye_color eye_colour hair_color "
        "hair_colour talla altura alcada grosse korper* taille_cm =taille taille_en_cm altezza "
        "рост pikkus"
    ),
    forms=(*CODES, "decimal"),
)

NAMES = (PERSON_NAME,)
PEOPLE = (
    BIRTH_DATE,
    BIRTH_YEAR,
    AGE,
    SEX,
    ETHNICITY,
    MARITAL_STATUS,
    FAMILY,
    EDUCATION,
    OCCUPATION,
    ORIGIN,
    BODY_MEASURE,
)
