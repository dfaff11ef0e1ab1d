"""Outputs: a researcher's session, in which everything that shall leave gets a verdict."""

from __future__ import annotations

import hashlib
import inspect
import json
import linecache
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from microveil.errors import InputError, RequirementNotMetError
from microveil.files import write_text
from microveil.files.placing import Placing, Witness
from microveil.files.texts import write_bytes
from microveil.tabulation.outputs.appetite import RiskAppetite
from microveil.tabulation.outputs.checker_page import checker_page
from microveil.tabulation.outputs.judging import Judged, judge_cells, judge_counts, judge_model


class NotesOutputs(Protocol):
    """A registry of releases, which notes outputs when their files appear."""

    def note_outputs(
        self,
        project: str,
        files: Mapping[str, bytes],
        records: Sequence[Mapping[str, Any]],
        folder: Path,
    ) -> Witness:
        """Who notes them."""


EXTREMES = frozenset({"min", "max", "first", "last"})


@dataclass
class Output:
    """One output: what it is, the verdict, and what will be written."""

    name: str
    kind: str
    judged: Judged
    content: bytes
    ending: str
    code: str
    made: str
    exception: str | None = None

    @property
    def verdict(self) -> str:
        """The verdict; a failed output with a reason to leave all the same is for review."""
        failed = self.judged.verdict == "fail"
        return "review" if failed and self.exception else self.judged.verdict

    def record(self, limits: RiskAppetite) -> dict[str, Any]:
        """What is kept of the output: rule, threshold, n, hash, code (SATRE 3.3.09)."""
        return {
            "name": self.name,
            "kind": self.kind,
            "verdict": self.verdict,
            "reasons": list(self.judged.reasons),
            "exception": self.exception,
            "n": self.judged.n,
            "limits": limits.model_dump(),
            "sha256": hashlib.sha256(self.content).hexdigest(),
            "code": self.code,
            "made": self.made,
        }


class Outputs:
    """The outputs of a project; each is answered as usual, and recorded with a verdict.

    >>> out = Outputs("survey", RiskAppetite(threshold=3))
    >>> out.results
    []
    """

    def __init__(self, project: str, appetite: RiskAppetite | str | None = None) -> None:
        """Begin a session; ``appetite`` is a preset's name, a file, or the limits themselves."""
        self.project = project
        self.limits: RiskAppetite = (
            appetite if isinstance(appetite, RiskAppetite) else RiskAppetite.read(appetite)
        )
        self.results: list[Output] = []

    def crosstab(self, index: Any, columns: Any, values: Any = None, **options: Any) -> Any:
        """``pandas.crosstab`` with a verdict on every cell."""
        pandas = _pandas()
        answer = pandas.crosstab(index, columns, values=values, **options)
        parts = [*_as_list(index), *_as_list(columns)]
        keys = pandas.concat([pandas.Series(one).reset_index(drop=True) for one in parts], axis=1)
        keys.columns = [f"v{number}" for number in range(keys.shape[1])]
        extreme = str(options.get("aggfunc")) in EXTREMES
        judged = judge_cells(keys, values, self.limits, shows_extremes=extreme)
        self._add("crosstab", judged, answer.to_csv().encode(), ".csv")
        return answer

    def pivot_table(
        self, data: Any, values: str, index: Any, columns: Any = None, **options: Any
    ) -> Any:
        """``DataFrame.pivot_table`` with a verdict on every cell."""
        answer = data.pivot_table(values=values, index=index, columns=columns, **options)
        names = [*_as_list(index), *(_as_list(columns) if columns is not None else [])]
        extreme = str(options.get("aggfunc")) in EXTREMES
        judged = judge_cells(data[names], data[values], self.limits, shows_extremes=extreme)
        self._add("pivot_table", judged, answer.to_csv().encode(), ".csv")
        return answer

    def hist(self, values: Any, bins: int = 10) -> Any:
        """A histogram as a frame: the bounds of each bar, and how many values are in it."""
        known = np.asarray(values, dtype=np.float64)
        known = known[~np.isnan(known)]
        counts, edges = np.histogram(known, bins=bins)
        answer = _pandas().DataFrame({"from": edges[:-1], "to": edges[1:], "count": counts})
        judged = judge_counts(counts.tolist(), "bars", self.limits, len(known))
        reasons = (*judged.reasons, "the first and last bound are somebody's own values")
        if judged.verdict == "pass":
            judged = judged._replace(verdict="review")
        self._add(
            "hist", judged._replace(reasons=reasons), answer.to_csv(index=False).encode(), ".csv"
        )
        return answer

    def survival(self, time: Any, event: Any) -> Any:
        """The Kaplan–Meier estimate: people at risk, events and survival at each time."""
        times, events = np.asarray(time, dtype=np.float64), np.asarray(event, dtype=np.bool_)
        moments = np.unique(times[events])
        at_risk = np.array([(times >= one).sum() for one in moments])
        dead = np.array([(events & (times == one)).sum() for one in moments])
        share = np.cumprod(1 - dead / np.maximum(at_risk, 1))
        answer = _pandas().DataFrame(
            {"time": moments, "at_risk": at_risk, "events": dead, "survival": share}
        )
        judged = judge_counts([*at_risk.tolist(), *dead.tolist()], "steps", self.limits, len(times))
        self._add("survival", judged, answer.to_csv(index=False).encode(), ".csv")
        return answer

    def model(self, result: Any, kind: str = "model") -> Any:
        """A fitted model of statsmodels; its residual degrees of freedom are checked."""
        n = int(getattr(result, "nobs", 0) or len(getattr(result.model, "endog", [])))
        freedom = getattr(result, "df_resid", None)
        freedom = n - len(np.atleast_1d(result.params)) if freedom is None else float(freedom)
        text = str(result.summary())
        self._add(kind, judge_model(freedom, n, self.limits), text.encode(), ".txt")
        return result

    def ols(self, endog: Any, exog: Any = None, **options: Any) -> Any:
        """Fit ordinary least squares by statsmodels, or take its result."""
        return self._fit("ols", "OLS", endog, exog, options)

    def logit(self, endog: Any, exog: Any = None, **options: Any) -> Any:
        """Fit a logit model by statsmodels, or take its result."""
        return self._fit("logit", "Logit", endog, exog, options)

    def probit(self, endog: Any, exog: Any = None, **options: Any) -> Any:
        """Fit a probit model by statsmodels, or take its result."""
        return self._fit("probit", "Probit", endog, exog, options)

    def cox(self, endog: Any, exog: Any = None, **options: Any) -> Any:
        """Fit a Cox model by statsmodels' PHReg, or take its result."""
        return self._fit("cox", "PHReg", endog, exog, options)

    def _fit(self, kind: str, name: str, endog: Any, exog: Any, options: dict[str, Any]) -> Any:
        if hasattr(endog, "params"):
            return self.model(endog, kind)
        try:
            import statsmodels.api as sm  # type: ignore[import-untyped]
        except ImportError:
            raise InputError(
                "Models need statsmodels. Install it with: pip install 'microveil[outputs]'."
            ) from None
        fitting = {"disp": 0} if kind in {"logit", "probit"} else {}
        return self.model(getattr(sm, name)(endog, exog, **options).fit(**fitting), kind)

    def table(self, frame: Any, name: str | None = None) -> Any:
        """Any frame; its records are not known, so a person looks at it."""
        judged = Judged("review", ("the records behind the cells are not known",), len(frame))
        self._add("table", judged, _pandas().DataFrame(frame).to_csv().encode(), ".csv", name)
        return frame

    def figure(self, path: str | Path, name: str | None = None) -> Path:
        """A picture, which a person looks at."""
        path = Path(path)
        judged = Judged("review", ("a picture is looked at by a person",), 0)
        self._add("figure", judged, path.read_bytes(), path.suffix, name)
        return path

    def exception(self, name: str, reason: str) -> None:
        """Say why a failed output should leave all the same; a checker decides."""
        self._find(name).exception = reason

    def remove(self, name: str) -> None:
        """Leave an output out."""
        self.results.remove(self._find(name))

    def finalise(self, folder: str | Path, *, registry: NotesOutputs | None = None) -> Path:
        """Write outputs, a record each and a checker's page; all of them, or none.

        With a ``registry`` they are compared with what left of the same source before, and noted.
        """
        failed = [one.name for one in self.results if one.verdict == "fail"]
        if failed:
            raise RequirementNotMetError(
                "{n} outputs fail, the first of them {name}: remove() them, or give the checker a "
                "reason with exception(). Nothing was written.",
                n=len(failed),
                name=failed[0],
            )
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        records = [one.record(self.limits) for one in self.results]
        with Placing() as placing:
            for one, record in zip(self.results, records, strict=True):
                write_bytes(one.content, target / f"{one.name}{one.ending}", placing)
                told = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
                write_text(told, target / f"{one.name}.record.json", placing)
            write_text(checker_page(self.project, records), target / "_checker.html", placing)
            if registry is not None:
                files = {f"{one.name}{one.ending}": one.content for one in self.results}
                placing.tell(registry.note_outputs(self.project, files, records, target))
        return target

    def _find(self, name: str) -> Output:
        found = next((one for one in self.results if one.name == name), None)
        if found is None:
            known = ", ".join(one.name for one in self.results)
            raise InputError("No output '{name}'. There are: {known}.", name=name, known=known)
        return found

    def _add(
        self, kind: str, judged: Judged, content: bytes, ending: str, name: str | None = None
    ) -> None:
        name = name or f"output_{len(self.results)}_{kind}"
        made = datetime.now(UTC).isoformat(timespec="seconds")
        self.results.append(Output(name, kind, judged, content, ending, _calling_line(), made))


def _calling_line() -> str:
    """The line of code outside this module that asked for an output."""
    for frame in inspect.stack():
        if frame.filename != __file__:
            return linecache.getline(frame.filename, frame.lineno).strip()
    return ""


def _as_list(given: Any) -> list[Any]:
    return list(given) if isinstance(given, list | tuple) else [given]


def _pandas() -> Any:
    try:
        import pandas as pd
    except ImportError:
        raise InputError(
            "Outputs need pandas. Install it with: pip install 'microveil[outputs]'."
        ) from None
    return pd
