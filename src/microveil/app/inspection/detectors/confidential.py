"""Confidential matters: health, money, beliefs, offences."""

from __future__ import annotations

from microveil.app.inspection.detectors.base import CATEGORIES, TEXT, VALUES, Detector
from microveil.app.inspection.limits import VALUES_NAMED
from microveil.app.inspection.naming import Words
from microveil.texts import Message

_OTHER_CODES = Words(
    "nace* isic* cnae* naf* ateco* noga* cpa branche* industr* sector* product* item* article* sku "
    "part* seat* cabin* room* shelf* version* section* chapter*",
    unless="diag* icd*",
)
"""Names of codes that are written as diagnoses are, and mean trades, goods or places."""
ICD10 = Detector(
    kind="diagnosis_code",
    noun=Message("inspect.diagnosis_codes_icd_10", "diagnosis codes (ICD-10)"),
    role="sensitive",
    why=Message(
        "inspect.health_special_category_personal", "health is a special category of personal data"
    ),
    names=Words("icd* diag diagnos* hauptdiagnose* dx cie cim disease* diagnoos* диагноз* мкб rhk"),
    # Seats and cabins look like C85: without the name, codes must have their decimal point.
    shape=TEXT.str.contains(r"^[A-TV-Z]\d[\dAB]\.[\dA-Z]{1,4}$"),
    # Danish registers write a D before them.
    named_shape=TEXT.str.contains(r"^D?[A-TV-Z]\d[\dAB](\.?[\dA-Z]{1,4})?$"),
    alone=VALUES_NAMED,
    fits=lambda column: not _OTHER_CODES.match(*column.names),
)
HEALTH = Detector(
    kind="health",
    noun=Message("inspect.health", "health"),
    role="sensitive",
    why=Message(
        "inspect.health_special_category_personal", "health is a special category of personal data"
    ),
    names=Words(
        "diag "
        "disease* diagnos* illness* health* condition symptom* treatment* medic* drug* blood* hiv "
        "aids cancer tumo* diabet* allerg* disab* pregnan* depress* smok* alcohol* vaccin* surviv* "
        "death dead died deceased mortality therap* infect* cholesterol* glucose covid* hospital* "
        "surgery stroke injur* handicap* enfermedad* salud discapaci* embaraz* malalti* salut "
        "krank* gesund* schwanger* behinder* maladie* sante grossesse malatti* salute gravidanza "
        "chronic* copd asthma* hypert* epilep* dementia* arthrit* heart* kidney* renal liver* "
        "hepat* schwerbehind* "
        "tubercul* malaria* obes* anaem* anem* psych* mental* suicid* abort* contracep* fertil* "
        "bmi_cat exitus fallec* defunc* obito* deces* verstorben* gestorben* overleden* умер* "
        "смерт* surm* surnud* "
        "sygdom* sykdom* sjuk* syg diagnose* sairaus* ziekte* chorob* malade* enferm* asma hipert* "
        "doenca* saude болезн* здоров* инвалид* лечени* диагноз* haigus* tervis* puue diagnoos*",
        unless="insurance_id provider",
    ),
    forms=(*VALUES, "date", "datetime"),
)
MONEY = Detector(
    kind="money",
    noun=Message("inspect.income_spending_wealth", "income, spending or wealth"),
    role="sensitive",
    why=Message("inspect.what_people_earn_own", "what people earn, own and owe is confidential"),
    names=Words(
        "income* *income inc hhinc *_inc totinc salar* wage* earn* revenue* *revenue money pay "
        "payment* price* cost* fare "
        "fee fees tax* *tax debt* loan* saving* asset* *assets capital* profit* credit* balance* "
        "expend* expens* spend* budget* turnover sales *sales pension* benefit* rent wealth* bonus "
        "amount agi fica funds treasury depreciation financ* mortgage* donation* ingreso* sueldo* "
        "renta* gasto* deuda* ahorro* ingressos einkommen* *einkommen gehalt* lohn* *lohn umsatz* "
        "vermogen* schulden* ausgaben* revenu* salaire* depense* dette* impot* reddit* stipendio* "
        "spesa* spese debito* tasse renda* despesa* divida* imposto* доход* зарплат* оклад* "
        "налог* расход* сбережен* долг* зарабо* sissetulek* palk* maks* volg* kulu* indkomst* "
        "*indkomst "
        "inntekt* *inntekt inkomst* *inkomst lon loen* formue* skat gaeld* tulot* palkka* inkomen* "
        "loon dochod* zarobk* wynagrodz* prijem* venit* gage* erindk* perindk* dispon* samlink*",
        # In Spanish and Portuguese the word for income also means admission to a hospital.
        unless="payment_method card tipo_ingreso* motivo_ingreso* fecha_ingreso* f_ingreso* "
        "servicio_ingreso* diagnostico_ingreso* hora_ingreso* via_ingreso* ingreso_urgente*",
    ),
    forms=VALUES,
)
BELIEFS = Detector(
    kind="beliefs",
    noun=Message("inspect.religion_politics_private_life", "religion, politics or private life"),
    role="sensitive",
    why=Message(
        "inspect.beliefs_private_life_special",
        "beliefs and private life are special categories of personal data",
    ),
    names=Words(
        "relig* faith church* denomination konfession* politic* party vote voted voting partei* "
        "partido* parti partito union_member* trade_union* gewerkschaft* sindica* orientation "
        "sexual* philosoph* вероисповед* религи* парти* usk usutunnistus erakond"
    ),
    forms=CATEGORIES,
)
OFFENCES = Detector(
    kind="offences",
    noun=Message("inspect.offences", "offences"),
    role="sensitive",
    why=Message(
        "inspect.offences_convictions_confidential_law",
        "offences and convictions are confidential by law",
    ),
    names=Words(
        "crim* offence* offense* convict* arrest* prison* felony delito* delicte* condena* straf* "
        "vorstraf* infraction* reato reati судим* преступ* kuritegu karistus*"
    ),
    forms=VALUES,
)

CONFIDENTIAL = (ICD10, HEALTH, MONEY, BELIEFS, OFFENCES)
