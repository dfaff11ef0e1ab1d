"""What published rules ask of a release, line by line, in our words."""

from __future__ import annotations

from collections.abc import Mapping

Line = tuple[str, str, str]
"""Where the rule says it, what it asks, and which evidence answers it or what is to be decided.

Articles of the EHDS, paragraphs of HIPAA and clauses of ISO/IEC 27559 (by its table of contents)
are cited by number; EMA and NIST, whose numbers differ between editions, by subject.
"""

SOURCES: Mapping[str, str] = {
    "ehds": "Regulation (EU) 2025/327, chapter IV, and the guidelines of TEHDAS2",
    "hipaa_safe_harbor": "45 CFR 164.514(b)(2)",
    "hipaa_expert_determination": "45 CFR 164.514(b)(1); guidance of the Office for Civil Rights "
    "(2012)",
    "ema_0070": "European Medicines Agency, external guidance on Policy 0070 (2018)",
    "nist_sp_800_188": "NIST SP 800-188, De-Identifying Government Datasets: Techniques and "
    "Governance (2023)",
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
        ("Art. 61(3)", "The user promises not to re-identify.",
         "Name the agreement that binds them."),
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
        ("identifiers", "Direct identifiers are removed or pseudonymised.", "identifiers"),
        ("identifiers", "No cell leads to a person.", "contacts"),
        ("threshold", "The risk of re-identification is at most 0.09.", "risk"),
        ("adversaries", "Risk of attribution: sensitive values.", "attribute"),
        ("adversaries", "The population of reference is justified.",
         "Say whether the trial, similar trials or the region is the population."),
        ("data utility", "Scientific utility is kept.", "utility"),
        ("commercial", "Commercially confidential information is dealt with.",
         "Decide on it; it is no matter of disclosure control."),
        ("report", "An anonymisation report says what was done.", "requirements"),
        ("report", "Somebody answers for the report.", "responsible"),
    ),
    "nist_sp_800_188": (
        ("goals", "The goals of the release are stated.", "State the purpose and the users."),
        ("review board", "A disclosure review board agreed.", "Name the board and the day."),
        ("sharing model", "The sharing model is chosen.",
         "Publication, agreement, enclave or query interface: say which and why."),
        ("identifiers", "Direct identifiers are removed or transformed.", "identifiers"),
        ("identifiers", "No cell leads to a person.", "contacts"),
        ("quasi-identifiers", "Quasi-identifiers are dealt with.", "risk"),
        ("quasi-identifiers", "Unique records.", "unique"),
        ("formal privacy", "A formal privacy guarantee was considered.",
         "Say why differential privacy was or was not used."),
        ("re-identification studies", "Re-identification was tried.", "attacks"),
        ("risk of releases", "Earlier releases and other data were taken into account.", "earlier"),
        ("data quality", "Utility was evaluated.", "utility"),
        ("monitoring", "The release is verified before and watched after publication.", "file"),
    ),
    "iso_27559": (
        ("6.2.2", "Context: recipients, controls, agreements.",
         "Describe who gets the data, and what binds and hinders them."),
        ("6.2", "Context: threats that are plausible.",
         "Name deliberate, inadvertent and breach scenarios that were considered."),
        ("7.2.4", "Data: identifiers are known and removed.", "identifiers"),
        ("7.2.4", "Data: no cell leads to a person.", "contacts"),
        ("8.2.2", "Identifiability: threshold and measure.", "risk"),
        ("8.2.2", "Identifiability: records that stand alone.", "unique"),
        ("8.2", "Identifiability: inference.", "attribute"),
        ("8.2.3", "Identifiability: adversarial tests.", "attacks"),
        ("8.3", "Mitigation: what it cost.", "utility"),
        ("9.2.2", "Governance: somebody is responsible.", "responsible"),
        ("9.2.4", "Governance: releases before this one.", "earlier"),
        ("9.2.4", "Governance: the release can be verified.", "file"),
        ("9.4", "Governance: what happens when something becomes known.",
         "Name the plan for incidents, and when the assessment is repeated."),
    ),
}  # fmt: skip
