"""The pages for those who know another tool: every function has its row, every line is valid."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import microveil as mv
from microveil import plots
from microveil.specs import Spec

DOCS = Path(__file__).parent.parent / "docs"
PAGES = sorted(DOCS.glob("coming-from-*.md"))
OBJECTS: dict[str, Any] = {
    "mv": mv,
    "plots": plots,
    "draft": mv.Draft,
    "release": mv.Release,
    "found": mv.SearchResult,
    "result": mv.SearchResult,
    "made": mv.ProtectedTables,
    "out": mv.Outputs,
}
"""What the names in the rows stand for."""

SDCMICRO = [
    "AI_applyAnonymization", "AI_createSdcObj", "IL_correl", "IL_variables", "LocalRecProg",
    "addGhostVars", "addNoise", "argus_microaggregation", "argus_rankswap", "calcRisks",
    "createDat", "createNewID", "createSdcObj", "dRisk", "dRiskRMD", "dUtility", "dataGen",
    "extractManipData", "freq", "freqCalc", "generateStrata", "get.sdcMicroObj", "globalRecode",
    "groupAndRename", "importProblem", "indivRisk", "infoLoss", "kAnon", "kAnon_violations",
    "ldiversity", "localSupp", "localSuppression", "mafast", "measure_risk",
    "mergeHouseholdData", "microaggrGower", "microaggregation", "modRisk", "mvTopCoding",
    "nextSdcObj", "plot.localSuppression", "plotMicro", "pram", "rankSwap", "readMicrodata",
    "recordLinkage", "recordSwap", "removeDirectID", "report", "riskyCells", "sdcApp",
    "sdcMicroObj", "selectHouseholdData", "set.sdcMicroObj", "shuffle", "strataVar", "suda2",
    "summary.freqCalc", "summary.micro", "summary.pram", "topBotCoding", "undolast", "valTable",
    "varToFactor", "varToNumeric", "writeSafeFile",
]  # fmt: skip
"""What version 5.8 exports."""

ARX = [
    "import CSV", "project", "data type", "find and replace", "attribute type",
    "hierarchy wizard", "research subset", "population", "costs and benefits",
    "suppression limit", "approximate monotonicity", "quality model", "attribute weights",
    "coding model", "k-anonymity", "k-map", "l-diversity", "t-closeness", "δ-disclosure",
    "β-likeness", "δ-presence", "differential privacy", "solution space", "list", "clipboard",
    "search strategy", "local transformation", "summary statistics", "contingency",
    "class sizes", "classification", "attacker models", "distribution of risks", "distinction",
    "population uniqueness", "HIPAA", "risk thresholds", "certificate", "microaggregation",
    "project settings",
]  # fmt: skip
"""Its views and dialogs, in a few words each."""

TAU_ARGUS = [
    "<OPENMICRODATA>", "<OPENTABLEDATA>", "<OPENMETADATA>", "<SPECIFYTABLE>", "<RECODE>",
    "<READMICRODATA>", "<READTABLE>", "<CLEAR>", "<GOINTERACTIVE>", "<SILENT>", "<APRIORI>",
    "<SOLVER>", "<LOGBOOK>", "P(p,n)", "P(p,q,n)", "NK(", "FREQ(", "ZERO(", "REQ(", "WGT(",
    "MIS(", "MAN(", "OPT(", "MOD(", "GH(", "NET(", "RND(", "CTA", "cell-key", "linked tables",
    "cost", "audit", "holdings", "SBS", "JJ", "intermediate",
]  # fmt: skip
"""Keywords of its batch files, its rules and its methods."""

SDCTABLE = [
    "argusVersion", "attack", "calc.sdcProblem", "cell_info", "cellInfo", "change_cellstatus",
    "changeCellStatus", "contributing_indices", "createArgusInput", "createJJFormat",
    "createRegSDCInput", "get.dimInfo", "get.problemInstance", "get.safeObj", "get.sdcProblem",
    "getInfo", "makeProblem", "primarySuppression", "protectLinkedTables", "protectTable",
    "protect_linked_tables", "runArgusBatchFile", "sdcProb2df", "sdc_testproblem",
    "set.dimInfo", "set.problemInstance", "set.sdcProblem", "setInfo", "writeJJFormat",
    "cutList", "dataObj", "dimInfo", "dimVar", "linProb", "problemInstance", "safeObj",
    "sdcProblem", "simpleTriplet", "print", "show", "summary",
]  # fmt: skip
"""What version 0.32 exports, with the older names."""

ACRO = [
    "crosstab", "pivot_table", "hist", "pie", "surv_func", "survival_table", "survival_plot",
    "ols", "olsr", "logit", "logitr", "probit", "probitr", "custom_output", "add_to_acro",
    "print_outputs", "remove_output", "rename_output", "add_comments", "add_exception",
    "finalise", "enable_suppression", "disable_suppression", "enable_rounding",
    "disable_rounding", "safe_threshold", "safe_dof_threshold", "safe_nk_n", "safe_nk_k",
    "safe_pratio_p", "check_missing_values", "survival_safe_threshold", "zeros_are_disclosive",
]  # fmt: skip
"""The methods of its session, and what its file of limits holds."""


def rows(page: Path) -> Iterator[tuple[str, str]]:
    """Their cell and ours, of each row of a page's tables."""
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and len(cells) == 2:
            yield cells[0], cells[1]


def calls(text: str) -> Iterator[ast.Call]:
    """The calls of our functions among the code of a cell."""
    for code in re.findall(r"`([^`]+)`", text):
        if code.split(".")[0] in OBJECTS and "(" in code:
            plain = code.replace("{…}", "{}").replace(", …}", "}").replace("…", "...")
            yield from (node for node in ast.walk(ast.parse(plain)) if isinstance(node, ast.Call))


def resolve(node: ast.expr) -> Any:
    """What a dotted name leads to; None behind the result of a call."""
    if isinstance(node, ast.Name):
        return OBJECTS[node.id]
    owner = resolve(node.value) if isinstance(node, ast.Attribute) else None
    return None if owner is None else getattr(owner, node.attr)  # type: ignore[attr-defined]


def arguments(target: Any) -> set[str]:
    if inspect.isclass(target) and issubclass(target, Spec):
        aliases = {field.alias for field in target.model_fields.values() if field.alias}
        return {*target.model_fields, *aliases}
    return set(inspect.signature(target).parameters)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_line_names_what_is_there_with_parameters_it_has(page: Path) -> None:
    checked = 0
    for _, ours in rows(page):
        for call in calls(ours):
            target = resolve(call.func)
            if target is None:
                continue
            named = {one.arg for one in call.keywords if one.arg}
            takes = arguments(target)
            assert named <= takes or "options" in takes, ast.unparse(call)
            checked += 1
    assert checked > 0 or page.stem.endswith("argus")


def complete(call: ast.Call) -> bool:
    """Whether no argument is left open by an ellipsis or an empty mapping."""
    return not any(
        isinstance(node, ast.Constant) and node.value is ... for node in ast.walk(call)
    ) and bool(call.keywords)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_specs_whose_parameters_are_all_given_can_be_made(page: Path) -> None:
    for _, ours in rows(page):
        for call in calls(ours):
            target = resolve(call.func)
            if inspect.isclass(target) and issubclass(target, Spec) and complete(call):
                eval(compile(ast.Expression(call), page.name, "eval"), {"mv": mv})  # noqa: S307


@pytest.mark.parametrize(
    ("tool", "functions"), [("sdcmicro", SDCMICRO), ("sdctable", SDCTABLE), ("acro", ACRO)]
)
def test_every_function_has_a_row(tool: str, functions: list[str]) -> None:
    theirs = " ".join(cell for cell, _ in rows(DOCS / f"coming-from-{tool}.md"))
    named = set(re.findall(r"[A-Za-z_][\w.]*", theirs.replace("acro.", "")))
    assert [name for name in functions if name not in named] == []


def test_every_keyword_of_tau_argus_has_a_row() -> None:
    theirs = " ".join(cell for cell, _ in rows(DOCS / "coming-from-tau-argus.md"))
    assert [name for name in TAU_ARGUS if name not in theirs] == []


def test_every_dialog_of_arx_has_a_row() -> None:
    theirs = " ".join(cell for cell, _ in rows(DOCS / "coming-from-arx.md")).lower()
    assert [name for name in ARX if name.lower() not in theirs] == []
