"""Measures as requirements: an upper limit on a risk, or a lower limit on utility.

After perturbation, class counts prove little, and a limit on a measure takes their place. In a
recipe it is listed with the models, with the settings of the measure beside the limit::

    require:
      - {model: k_anonymity, k: 5}
      - {measure: record_linkage, at_most: 0.05}
      - {measure: singling_out, upper_bound_at_most: 0.1}
      - {measure: prediction, target: income, at_least: 0.8}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, Self

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, model_validator
from pydantic_core import PydanticCustomError, core_schema

from microveil.errors import SpecError, did_you_mean, listing
from microveil.measures.base import Measure, RiskMeasure
from microveil.measures.naming import number_of, written_name
from microveil.privacy import MODELS, PrivacyModel
from microveil.recipes.across_releases import NAME, AcrossReleases
from microveil.scores import Score
from microveil.specs import Spec
from microveil.texts import Message, join, phrase

TAG = "measure"


class Limit(NamedTuple):
    """One limit in words and numbers."""

    words: str
    required: float
    at_most: bool
    plain: str = ""
    """The same with the plain name of the measure and without its settings."""

    def holds(self, value: float) -> bool:
        """Whether a value is within the limit, with a small tolerance: 1/10 is within 0.1."""
        slack = 1e-12 * max(1.0, abs(self.required))
        return value <= self.required + slack if self.at_most else value >= self.required - slack


class MeasureRequirement(Spec):
    """A limit on a measure of the release.

    For all measures, lower is better. ``at_least`` therefore limits the remaining utility, 1 minus
    the loss; with a ``part`` it applies to that part as it is.
    """

    spec: Measure
    """The measure, with its settings."""
    part: str | None = None
    """A sub-value of its score, such as ``average_risk``, instead of the score itself."""
    at_most: float | None = None
    """Largest acceptable score."""
    upper_bound_at_most: float | None = None
    """Largest acceptable upper bound of the score's confidence interval, for attacks."""
    at_least: float | None = None
    """Smallest acceptable utility."""

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        if all(one is None for one in (self.at_most, self.upper_bound_at_most, self.at_least)):
            raise ValueError("give `at_most`, `upper_bound_at_most` or `at_least`")
        if self.at_least is not None and self.part is None and isinstance(self.spec, RiskMeasure):
            raise ValueError("a risk is limited by `at_most`, not by `at_least`")
        if self.upper_bound_at_most is not None and self.part is not None:
            raise ValueError("only the score itself has a confidence bound: leave out `part`")
        return self

    @classmethod
    def read(cls, raw: Mapping[str, Any]) -> MeasureRequirement:
        """Parse a requirement of a recipe: settings of the measure beside the limits."""
        name = str(raw.get(TAG))
        kinds = measure_kinds()
        if name not in kinds:
            known = listing(sorted(kinds), most=60)
            raise SpecError(
                [
                    phrase(
                        "Unknown measure '{name}'.{hint} Known: {known}.",
                        name=name,
                        hint=did_you_mean(name, kinds),
                        known=known,
                    )
                ]
            )
        own = {key: raw[key] for key in cls.model_fields if key != "spec" and key in raw}
        settings = {key: raw[key] for key in raw if key not in own and key != TAG}
        fields = [*cls.model_fields, *kinds[name].model_fields]
        unknown = [key for key in settings if key not in fields or key in ("name", "spec")]
        if unknown:
            raise SpecError(
                [
                    phrase("{key}: Unknown field.{hint}", key=key, hint=did_you_mean(key, fields))
                    for key in unknown
                ]
            )
        return cls.parse({"spec": kinds[name].parse({"name": name, **settings}), **own})

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the measure and its settings, then the limits."""
        settings = {key: value for key, value in self.spec.to_dict().items() if key != "name"}
        own = self.model_dump(mode="json", exclude_defaults=True, exclude={"spec"})
        return {TAG: self.spec.kind(), **settings, **own}

    @property
    def title(self) -> str:
        """What is measured, with its settings, as a line of text names it."""
        settings = {key: value for key, value in self.spec.to_dict().items() if key != "name"}
        return written_name(self.spec.kind(), self.part, settings)

    @property
    def limits(self) -> tuple[Limit, ...]:
        """Each limit, in the order of the fields."""
        plain = type(self.spec).title or self.spec.kind().replace("_", " ")
        plain = plain if self.part is None else f"{plain}, {self.part.replace('_', ' ')}"
        both = zip(self._words(self.title), self._words(plain), strict=True)
        return tuple(Limit(*words, told[0]) for words, told in both)

    def _words(self, title: str) -> Iterator[tuple[str, float, bool]]:
        """Each limit of what is named so: in words, its number, and whether it is an upper one."""
        if (limit := self.at_most) is not None:
            words = Message("title.at_most", "{title} at most {limit:g}", title=title, limit=limit)
            yield words, limit, True
        if (limit := self.upper_bound_at_most) is not None:
            words = Message(
                "title.bound_at_most",
                "{title}, upper bound at most {limit:g}",
                title=title,
                limit=limit,
            )
            yield words, limit, True
        if (limit := self.at_least) is not None:
            kept = title if self.part is not None else f"1 − {title}"
            words = Message("title.at_least", "{title} at least {limit:g}", title=kept, limit=limit)
            yield words, limit, False

    def compared_values(self, score: Score) -> tuple[float, ...]:
        """The number that each limit is compared with."""
        value = number_of(score, self.part)
        found = []
        if self.at_most is not None:
            found.append(value)
        if self.upper_bound_at_most is not None:
            # A value that is not estimated has no interval: it is its own bound.
            found.append(value if score.interval is None else float(score.interval[1]))
        if self.at_least is not None:
            found.append(value if self.part is not None else 1 - value)
        return tuple(found)


def limit(
    measure: Measure,
    *,
    at_most: float | None = None,
    upper_bound_at_most: float | None = None,
    at_least: float | None = None,
    part: str | None = None,
) -> MeasureRequirement:
    """A measure as a requirement, for recipes written in Python.

    >>> from microveil.risk import RecordLinkage
    >>> limit(RecordLinkage(), at_most=0.05).to_dict()
    {'measure': 'record_linkage', 'at_most': 0.05}
    """
    return MeasureRequirement.parse(
        {
            "spec": measure,
            "part": part,
            "at_most": at_most,
            "upper_bound_at_most": upper_bound_at_most,
            "at_least": at_least,
        }
    )


@cache
def measure_kinds() -> dict[str, type[Measure]]:
    """Every measure that can be required, by name; loaded on first use."""
    from microveil.risk import RISK_MEASURES
    from microveil.utility import UTILITY_MEASURES

    return {
        kind.kind(): kind for registry in (RISK_MEASURES, UTILITY_MEASURES) for kind in registry
    }


class Requirements:
    """For annotations: a privacy model by its tag, or a measure with its limit."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Models as their registry reads them; anything that names a measure as a requirement."""
        return core_schema.no_info_wrap_validator_function(
            _read,
            MODELS.__get_pydantic_core_schema__(PrivacyModel, handler),  # type: ignore[type-abstract]  # a base to know instances by
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda spec: spec.to_dict()
            ),
        )

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Any model, or any measure with a limit."""
        across = {
            "type": "object",
            "properties": {NAME: _across_schema()},
            "required": [NAME],
            "additionalProperties": False,
        }
        models = MODELS.__get_pydantic_json_schema__(schema, handler)
        return {"anyOf": [models, _json_schema(), AcrossReleases.model_json_schema(), across]}


def _read(value: object, as_model: core_schema.ValidatorFunctionWrapHandler) -> object:
    if isinstance(value, MeasureRequirement | AcrossReleases):
        return value
    across = AcrossReleases.is_meant(value)
    if not isinstance(value, Mapping) or (TAG not in value and not across):
        return as_model(value)
    try:
        return (AcrossReleases if across else MeasureRequirement).read(value)
    except SpecError as error:
        # so that pydantic lists it with the recipe's other problems
        text = join(error.problems, "; ")
        raise PydanticCustomError("requirement", "{text}", {"text": text}) from None


def _across_schema() -> dict[str, Any]:
    """The short form of the requirement on all releases."""
    schema = AcrossReleases.model_json_schema()
    fields = {name: one for name, one in schema["properties"].items() if name != "model"}
    return schema | {"properties": fields, "required": ["k"], "additionalProperties": False}


def _json_schema() -> dict[str, Any]:
    fields = MeasureRequirement.model_json_schema()["properties"]
    limits = {name: fields[name] for name in fields if name != "spec"}
    return {
        "type": "object",
        "title": "MeasureRequirement",
        "description": "A limit on a measure of the release, with the settings of the measure "
        "beside it.",
        "properties": {TAG: {"enum": sorted(measure_kinds()), "type": "string"}, **limits},
        "required": [TAG],
    }


REQUIREMENTS = Requirements()
"""What a release must satisfy: models and limits on measures."""
