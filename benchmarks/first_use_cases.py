"""All that can be used for a first time, as Python code: one call of each registered thing."""

from __future__ import annotations

import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PATIENTS = ROOT / "examples" / "patients.csv"

SETTING = f"""
import microveil as mv
import numpy as np
frame = mv.read({str(PATIENTS)!r})
roles = mv.Roles(identifiers=["name"], quasi_identifiers=["age", "sex", "zip"],
                 sensitive=["disease"])
table = mv.Table(frame, roles)
"""
COMMAND = "import sys\nfrom microveil.cli.program import main\nsys.argv = {words!r}\nmain()"

METHODS = {
    "drop": "mv.Drop(columns=['name'])",
    "mask": "mv.Mask(columns=['zip'], keep_start=2)",
    "pseudonymize": "mv.Pseudonymize(columns=['name'])",
    "generalize": "mv.Generalize(column='age', hierarchy={'hierarchy': 'types'}, level=1)",
    "group_rare": "mv.GroupRare(columns=['disease'], min_count=20)",
    "top_bottom_code": "mv.TopBottomCode(columns=['cost'], top_share=0.1)",
    "round": "mv.Round(columns=['cost'], base=10, mode='random')",
    "suppress_records": "mv.SuppressRecords(k=2)",
    "local_suppression": "mv.LocalSuppression(k=3)",
    "local_suppression, wildcards": "mv.LocalSuppression(k=3, missing='wildcard')",
    "datafly": "mv.Datafly(k=5)",
    "mondrian": "mv.Mondrian(k=5)",
    "mondrian, relaxed": "mv.Mondrian(k=5, mode='relaxed')",
    "mondrian, by loss": "mv.Mondrian(k=5, split='ncp')",
    "local_recoding": "mv.LocalRecoding(k=5)",
    "incognito": "mv.Incognito(k=5, suppression_share=0.1)",
    "optimal_generalization": "mv.OptimalGeneralization(k=5, suppression_share=0.1)",
    "match_classes": "mv.MatchClasses(columns=['sex'], classes=[['{f, m}']])",
    "aggregate": "mv.Aggregate(columns=['cost'], by=['sex'], statistic='median')",
    "sample": "mv.Sample(share=0.5)",
    "permute": "mv.Permute(columns=['cost'])",
    "additive_noise": "mv.AdditiveNoise(columns=['cost'], sd_share=0.1)",
    "multiplicative_noise": "mv.MultiplicativeNoise(columns=['cost'], sd=0.1)",
    "rank_swap": "mv.RankSwap(columns=['cost'], range_share=0.1)",
    "half_swap": "mv.HalfSwap(columns=['cost'])",
    "shuffle": "mv.Shuffle(columns=['cost'], given=['age'])",
    "microaggregate": "mv.Microaggregate(columns=['age', 'cost'], k=3)",
    "microaggregate, one column": "mv.Microaggregate(columns=['cost'], k=3, algorithm='optimal')",
    "microaggregate, mixed": "mv.Microaggregate(columns=['cost', 'sex'], k=3)",
    "microaggregate, v_mdav": "mv.Microaggregate(columns=['age', 'cost'], k=3, algorithm='v_mdav')",
    "microaggregate, refined": (
        "mv.Microaggregate(columns=['age', 'cost'], k=3, algorithm='refined')"
    ),
    "dp_microaggregate": (
        "mv.DpMicroaggregate(columns=['cost'], bounds={'cost': (0, 9999)}, k=5, epsilon=1)"
    ),
    "pram": "mv.Pram(columns=['sex'], retention=0.8)",
    "randomized_response": "mv.RandomizedResponse(columns=['sex'], epsilon=1)",
    "swap_records": "mv.SwapRecords(hierarchy=['zip'], swap_share=0.1)",
    "decompose": "mv.Decompose(groups={'one': ['sex'], 'other': ['age']})",
}
"""Each method, with the variants that run other loops."""

DOMAIN = (
    "'domain': {'age': {'low': 0, 'high': 100, 'bins': 10}, "
    "'cost': {'low': 0, 'high': 9999, 'bins': 10}, "
    "'sex': ['f', 'm'], 'disease': sorted(set(frame['disease']))}"
)
GENERATORS = {
    **{name: repr(name) for name in ("cart", "boosted", "copula", "ipso", "marginals")},
    "bootstrap": "'bootstrap'",
    "mst": f"{{'generator': 'mst', 'epsilon': 1, {DOMAIN}}}",
    "aim": f"{{'generator': 'aim', 'epsilon': 1, {DOMAIN}}}",
}
ALL = "['age', 'sex', 'disease', 'cost']"
SYNTHETIC = {"ipso": "['age', 'cost']", "mst": "[]", "aim": "[]"}

MODELS = {
    "k_anonymity": "mv.KAnonymity(k=2)",
    "l_diversity": "mv.LDiversity(l=2, column='disease')",
    "t_closeness": "mv.TCloseness(t=0.5, column='cost', distance='ordered')",
    "alpha_k_anonymity": "mv.AlphaKAnonymity(alpha=0.5, k=2, column='disease')",
    "beta_likeness": "mv.BetaLikeness(beta=1, column='disease')",
    "delta_disclosure": "mv.DeltaDisclosure(delta=1, column='disease')",
    "delta_presence": f"mv.DeltaPresence(maximum=0.5, population={str(PATIENTS)!r})",
    "k_map": "mv.KMap(k=3, sampling_share=0.5)",
    "average_risk": "mv.AverageRisk(threshold=0.5)",
    "population_uniqueness": "mv.PopulationUniqueness(threshold=0.1, population_size=10000)",
    "km_anonymity": "mv.KmAnonymity(k=2, m=1, column='disease', separator=' ')",
}
RISK = {
    "class_sizes": "",
    "individual_risk": "",
    "reidentification_risk": "",
    "population_risk": "sampling_share=0.1",
    "special_uniques": "",
    "key_separation": "",
    "interval_disclosure": "",
    "record_linkage": "",
    "identity_disclosure": "",
    "value_disclosure": "",
    "intersection_attack": "",
    "noise_filtering": "",
    "singling_out": "",
    "linkability": "",
    "inference": "",
    "membership": "",
    "nearest_neighbour_ratio": "",
    "replicated_uniques": "",
    "attribute_disclosure": "",
    "outside_linkage": f"auxiliary={str(PATIENTS)!r}, known=['age', 'sex']",
}
UTILITY = {
    "cell_changes": "",
    "il1s": "",
    "il1": "",
    "information_loss": "",
    "mean_divergence": "",
    "eigenvalues": "",
    "rank_correlation": "",
    "sse": "",
    "value_distance": "",
    "generalization_loss": "",
    "precision": "",
    "ambiguity": "",
    "discernibility": "",
    "average_class_size": "",
    "entropy_loss": "",
    "distribution_distance": "",
    "table_counts": "",
    "propensity": "",
    "confidence_overlap": "",
    "prediction": "target='sex'",
    "clustering": "",
}
RELEASED = "released = table.with_frame(frame.with_columns(cost=frame['cost'].round(0)))\n"


def _measure(kind: str, registry: str, parameters: str) -> str:
    alone = "table" if kind in ALONE else "table, released"
    room, name = registry.split(".")
    one = f"{name}[{kind!r}]({parameters})"
    return f"from microveil.{room} import {name}\n{RELEASED}{one}.measure({alone})"


ALONE = {
    "class_sizes",
    "individual_risk",
    "reidentification_risk",
    "population_risk",
    "special_uniques",
    "key_separation",
    "attribute_disclosure",
    "outside_linkage",
}


def _calls() -> dict[str, str]:
    protect = "{}.protect(frame, roles, seed=1)"
    private = "{}.protect(frame[['age', 'sex', 'disease', 'cost']], seed=1)"
    run = "mv.run(mv.Recipe(roles=roles, steps=[], require=[{}]), frame).checks"
    risk = {f"risk {name}": _measure(name, "risk.RISK_MEASURES", p) for name, p in RISK.items()}
    utility = {
        f"utility {name}": _measure(name, "utility.UTILITY_MEASURES", p)
        for name, p in UTILITY.items()
    }
    return {
        **{name: protect.format(method) for name, method in METHODS.items()},
        **{
            f"synthesize {name}": (private if name in {"mst", "aim"} else protect).format(
                f"mv.Synthesize(columns={SYNTHETIC.get(name, ALL)}, generator={generator})"
            )
            for name, generator in GENERATORS.items()
        },
        **{f"model {name}": run.format(model) for name, model in MODELS.items()},
        **risk,
        **utility,
    }


def cases(*, compiled: bool = False) -> dict[str, str]:
    """Python code of each case; compiled: as on a table too large to be interpreted."""
    risk = ["microveil", "risk", str(PATIENTS), "-q", "age,sex,zip", "-s", "disease"]
    calls = {name: SETTING + call for name, call in _calls().items()}
    if compiled:
        head = "from microveil.kernels.jit import always_compiled\nwith always_compiled():\n"
        calls = {name: head + textwrap.indent(code, "    ") for name, code in calls.items()}
    return {
        "risk": COMMAND.format(words=risk),
        "demo": COMMAND.format(words=["microveil", "demo"]),
        **calls,
    }
