"""What published rules ask of a release, line by line, in our words."""

from __future__ import annotations

from collections.abc import Mapping

Line = tuple[str, str, str]
"""Where the rule says it, what it asks, and which evidence answers it or what is to be decided."""

SOURCES: Mapping[str, str] = {
    "ehds": "Regulation (EU) 2025/327, chapter IV, and the guidelines of TEHDAS2",
    "hipaa_safe_harbor": "45 CFR 164.514(b)(2)",
    "hipaa_expert_determination": "45 CFR 164.514(b)(1); guidance of the Office for Civil Rights "
    "(2012)",
    "ema_0070": "European Medicines Agency, external guidance on Policy 0070 (2018)",
    "nist_sp_800_188": "NIST SP 800-188, De-Identifying Government Datasets (2023)",
    "iso_27559": "ISO/IEC 27559:2022, Privacy enhancing data de-identification framework",
}

ITEMS: Mapping[str, tuple[Line, ...]] = {
    "ehds": (
        ("Art. 68", "The data permit covers this use.", "Name the permit and its purpose."),
        ("Art. 66", "Only what the purpose needs is there.", "Say which column serves what."),
        ("Art. 73", "Direct identifiers are removed.", "identifiers"),
        ("Art. 73", "No cell leads to a person.", "contacts"),
        ("Art. 73", "Nobody can be singled out by what others know.", "unique"),
        ("Art. 73", "The risk of re-identification is negligible.", "risk"),
        ("Art. 73", "Nothing can be inferred about a person.", "attribute"),
        ("Art. 73", "Singling out, linking and inference were tried.", "attacks"),
        ("Art. 73", "What left before was taken into account.", "earlier"),
        ("Art. 73", "The output was checked before it leaves.", "requirements"),
        ("Art. 61", "The user promises not to re-identify.", "Name the agreement that binds them."),
    ),
    "hipaa_safe_harbor": (
        ("(i) A–R", "Declared identifiers are removed.", "identifiers"),
        ("(i) B–G, M–O", "No cell holds what the rule lists.", "eighteen"),
        ("(i) A, H–L, P–R", "Names, numbers, pictures and the like are removed.",
         "Look at the columns that are left: content does not tell a name or a record number."),
        ("(ii)", "The holder knows of no way to identify a person by what is left.",
         "Only the covered entity can say so; unique records are a reason to doubt it."),
        ("(ii)", "Unique records.", "unique"),
    ),
    "hipaa_expert_determination": (
        ("(b)(1)", "A person with the knowledge and experience determines the risk.",
         "Name the expert, and what qualifies them."),
        ("(b)(1)(i)", "The anticipated recipient and what is available to them are known.",
         "Describe the recipient, and the sources that could be linked."),
        ("(b)(1)(i)", "The risk is very small.", "risk"),
        ("(b)(1)(i)", "Records that stand alone.", "unique"),
        ("(b)(1)(i)", "Sensitive values cannot be inferred.", "attribute"),
        ("(b)(1)(i)", "Attacks were tried.", "attacks"),
        ("(b)(1)(i)", "Combination with other reasonably available information.", "earlier"),
        ("(b)(1)(ii)", "Methods and results are documented.", "requirements"),
        ("(b)(1)(ii)", "The file that was assessed is identified.", "file"),
        ("guidance", "The determination holds for a limited time.", "Say until when."),
    ),
    "ema_0070": (
        ("5.2", "Direct identifiers are removed or pseudonymised.", "identifiers"),
        ("5.2", "No cell leads to a person.", "contacts"),
        ("5.4", "The risk of re-identification is at most 0.09.", "risk"),
        ("5.4", "Risk of attribution: sensitive values.", "attribute"),
        ("5.3", "The population of reference is justified.",
         "Say whether the trial, similar trials or the region is the population."),
        ("5.5", "Scientific utility is kept.", "utility"),
        ("5.6", "Commercially confidential information is dealt with.",
         "Decide on it; it is no matter of disclosure control."),
        ("annex", "An anonymisation report says what was done.", "requirements"),
        ("annex", "Somebody answers for the report.", "responsible"),
    ),
    "nist_sp_800_188": (
        ("3.1", "The goals of the release are stated.", "State the purpose and the users."),
        ("3.2", "A disclosure review board agreed.", "Name the board and the day."),
        ("3.4", "The sharing model is chosen.",
         "Publication, agreement, enclave or query interface: say which and why."),
        ("4.2", "Direct identifiers are removed or transformed.", "identifiers"),
        ("4.2", "No cell leads to a person.", "contacts"),
        ("4.3", "Quasi-identifiers are dealt with.", "risk"),
        ("4.3", "Unique records.", "unique"),
        ("4.4", "A formal privacy guarantee was considered.",
         "Say why differential privacy was or was not used."),
        ("4.6", "Re-identification was tried.", "attacks"),
        ("4.6", "Earlier releases and other data were taken into account.", "earlier"),
        ("4.7", "Utility was evaluated.", "utility"),
        ("4.8", "The release is verified before and watched after publication.", "file"),
    ),
    "iso_27559": (
        ("5", "Context: recipients, controls, agreements.",
         "Describe who gets the data, and what binds and hinders them."),
        ("5", "Context: threats that are plausible.",
         "Name deliberate, inadvertent and breach scenarios that were considered."),
        ("6", "Data: identifiers are known and removed.", "identifiers"),
        ("6", "Data: no cell leads to a person.", "contacts"),
        ("7", "Identifiability: threshold and measure.", "risk"),
        ("7", "Identifiability: records that stand alone.", "unique"),
        ("7", "Identifiability: inference.", "attribute"),
        ("7", "Identifiability: adversarial tests.", "attacks"),
        ("7", "Mitigation: what it cost.", "utility"),
        ("8", "Governance: somebody is responsible.", "responsible"),
        ("8", "Governance: releases before this one.", "earlier"),
        ("8", "Governance: the release can be verified.", "file"),
        ("8", "Governance: what happens when something becomes known.",
         "Name the plan for incidents, and when the assessment is repeated."),
    ),
}  # fmt: skip
