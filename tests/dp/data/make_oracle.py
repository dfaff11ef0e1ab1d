"""Makes oracle.json: what Google's dp-accounting says about composed mechanisms.

Run it in an environment of its own, with nothing but that package (it pins old versions of what
this project uses): python -m venv oracle && oracle/bin/pip install dp-accounting==0.6.0 &&
oracle/bin/python tests/dp/data/make_oracle.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DELTAS = (1e-3, 1e-6, 1e-9)


def composed(events: list[tuple[str, float, int]], delta: float) -> float:
    """The ε of (mechanism, scale, times) with sensitivity one."""
    # It lives in an environment of its own, see above.
    from dp_accounting import dp_event  # type: ignore[import-not-found]
    from dp_accounting.pld import PLDAccountant  # type: ignore[import-not-found]

    accountant = PLDAccountant(value_discretization_interval=1e-5)
    for mechanism, scale, times in events:
        event: Any = {
            "gaussian": dp_event.GaussianDpEvent,
            "laplace": dp_event.LaplaceDpEvent,
        }[mechanism](scale)
        accountant.compose(event, times)
    return float(accountant.get_epsilon(delta))


def responses(epsilon: float, times: int, delta: float) -> float:
    """The ε of the worst pure mechanism, composed."""
    from dp_accounting.pld import privacy_loss_distribution

    one = privacy_loss_distribution.from_privacy_parameters(
        privacy_loss_distribution.common.DifferentialPrivacyParameters(epsilon, 0.0),
        value_discretization_interval=1e-5,
    )
    return float(one.self_compose(times).get_epsilon_for_delta(delta))


def main() -> None:
    cases: list[dict[str, Any]] = []
    for delta in DELTAS:
        for events in (
            [("gaussian", 100.0, 1000)],
            [("gaussian", 1.0, 1)],
            [("gaussian", 20.0, 50)],
            [("gaussian", 5.0, 10), ("gaussian", 50.0, 500)],
            [("laplace", 10.0, 100)],
            [("laplace", 1.0, 3)],
            [("laplace", 50.0, 400)],
            [("laplace", 10.0, 20), ("gaussian", 20.0, 40)],
        ):
            found = composed(events, delta)
            cases.append({"events": events, "delta": delta, "epsilon": found})
        for epsilon, times in ((0.1, 100), (0.02, 1000), (1.0, 4)):
            found = responses(epsilon, times, delta)
            cases.append(
                {"events": [("pure", 1 / epsilon, times)], "delta": delta, "epsilon": found}
            )
    Path(__file__).with_name("oracle.json").write_text(
        json.dumps({"made_with": "dp-accounting 0.6.0", "cases": cases}, indent=1) + "\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
