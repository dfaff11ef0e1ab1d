"""Countries by region and subregion of the United Nations (M49): ISO 3166 codes and names.

Names are the usual ones in English, Spanish, Catalan, Estonian, Russian, German and French.
"""

from __future__ import annotations

from pathlib import Path

_GROUPS = (
    ("Africa", "Northern Africa",
     "DZ DZA EG EGY LY LBY MA MAR SD SDN TN TUN EH ESH"),
    ("Africa", "Sub-Saharan Africa",
     ("IO IOT BI BDI KM COM DJ DJI ER ERI ET ETH TF ATF KE KEN MG MDG MW MWI MU MUS YT MYT MZ "
     "MOZ RE REU RW RWA SC SYC SO SOM SS SSD UG UGA TZ TZA ZM ZMB ZW ZWE AO AGO CM CMR CF CAF "
     "TD TCD CG COG CD COD GQ GNQ GA GAB ST STP BW BWA SZ SWZ LS LSO NA NAM ZA ZAF BJ BEN BF "
     "BFA CV CPV CI CIV GM GMB GH GHA GN GIN GW GNB LR LBR ML MLI MR MRT NE NER NG NGA SH SHN "
     "SN SEN SL SLE TG TGO")),
    ("Americas", "Latin America and the Caribbean",
     ("AI AIA AG ATG AW ABW BS BHS BB BRB BQ BES VG VGB KY CYM CU CUB CW CUW DM DMA DO DOM GD "
     "GRD GP GLP HT HTI JM JAM MQ MTQ MS MSR PR PRI BL BLM KN KNA LC LCA MF MAF VC VCT SX SXM "
     "TT TTO TC TCA VI VIR BZ BLZ CR CRI SV SLV GT GTM HN HND MX MEX NI NIC PA PAN AR ARG BO "
     "BOL BV BVT BR BRA CL CHL CO COL EC ECU FK FLK GF GUF GY GUY PY PRY PE PER GS SGS SR SUR "
     "UY URY VE VEN")),
    ("Americas", "Northern America",
     "BM BMU CA CAN GL GRL PM SPM US USA"),
    ("Asia", "Central Asia",
     "KZ KAZ KG KGZ TJ TJK TM TKM UZ UZB"),
    ("Asia", "Eastern Asia",
     "CN CHN HK HKG MO MAC KP PRK JP JPN MN MNG KR KOR TW TWN"),
    ("Asia", "South-eastern Asia",
     "BN BRN KH KHM ID IDN LA LAO MY MYS MM MMR PH PHL SG SGP TH THA TL TLS VN VNM"),
    ("Asia", "Southern Asia",
     "AF AFG BD BGD BT BTN IN IND IR IRN MV MDV NP NPL PK PAK LK LKA"),
    ("Asia", "Western Asia",
     ("AM ARM AZ AZE BH BHR CY CYP GE GEO IQ IRQ IL ISR JO JOR KW KWT LB LBN OM OMN QA QAT SA "
     "SAU PS PSE SY SYR TR TUR AE ARE YE YEM")),
    ("Europe", "Eastern Europe",
     "BY BLR BG BGR CZ CZE HU HUN PL POL MD MDA RO ROU RU RUS SK SVK UA UKR"),
    ("Europe", "Northern Europe",
     ("AX ALA DK DNK EE EST FO FRO FI FIN GG GGY IS ISL IE IRL IM IMN JE JEY LV LVA LT LTU NO "
     "NOR SJ SJM SE SWE GB GBR")),
    ("Europe", "Southern Europe",
     ("AL ALB AD AND BA BIH HR HRV GI GIB GR GRC VA VAT IT ITA MT MLT ME MNE MK MKD PT PRT SM "
     "SMR RS SRB SI SVN ES ESP")),
    ("Europe", "Western Europe",
     "AT AUT BE BEL FR FRA DE DEU LI LIE LU LUX MC MCO NL NLD CH CHE"),
    ("Oceania", "Australia and New Zealand",
     "AU AUS CX CXR CC CCK HM HMD NZ NZL NF NFK"),
    ("Oceania", "Pacific islands",
     ("FJ FJI NC NCL PG PNG SB SLB VU VUT GU GUM KI KIR MH MHL FM FSM NR NRU MP MNP PW PLW UM "
     "UMI AS ASM CK COK PF PYF NU NIU PN PCN WS WSM TK TKL TO TON TV TUV WF WLF")),
    ("Antarctica", "Antarctica",
     "AQ ATA"),
)  # fmt: skip
"""Region, subregion, and its countries in two and in three letters."""

SUBREGIONS = {code: subregion for _, subregion, codes in _GROUPS for code in codes.split()}
REGIONS = {code: region for region, _, codes in _GROUPS for code in codes.split()}


def _codes_by_name() -> dict[str, str]:
    """Two letters of each country, by its number and by its names in capitals."""
    text = Path(__file__).with_name("countries.txt").read_text(encoding="utf-8")
    rows = [line.split("|") for line in text.splitlines()]
    return {name.upper(): row[0] for row in rows for name in row[2:]}


SPELLED = {name: code for name, code in _codes_by_name().items() if code in REGIONS}
"""Countries by number or name: ``276`` and ``GERMANY`` are ``DE``."""
