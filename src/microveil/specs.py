"""Specs: frozen parameters that round-trip through files; registries: their names in files."""

from __future__ import annotations

import json
from functools import cached_property
from inspect import Signature, cleandoc
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator
from pydantic_core import SchemaValidator, core_schema

from microveil.errors import SpecError, did_you_mean, listing
from microveil.lazy_names import LazyClasses
from microveil.texts import Message, compose, phrase
from microveil.texts.validation import refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.fields import FieldInfo
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import ErrorDetails


if TYPE_CHECKING:
    _Model = BaseModel  # type checkers see a spec's fields
else:

    class _Named(type(BaseModel)):
        """Makes a mistake in Python read like the same mistake in a recipe file."""

        def __new__(
            mcs, name: str, bases: tuple[type, ...], space: dict[str, Any], **config: Any
        ) -> type:
            """Create a class; pydantic reads the docstrings of users' own classes at once.

            It parses the source of each class, a third of the time that importing this package
            would take. The package's own docstrings are therefore read when they are needed.
            """
            own = space["__module__"].startswith("microveil.")
            return super().__new__(
                mcs, name, bases, space, **({"use_attribute_docstrings": not own} | config)
            )

        @property
        def model_fields(cls) -> dict[str, FieldInfo]:
            """The fields, each with the docstring under it as its description."""
            from microveil.field_docstrings import describe_fields

            return describe_fields(cls)

        @property
        def __doc__(cls) -> str | None:
            """The docstring with the parameters, for ``help`` and editors."""
            from microveil.field_types import docstring_of

            own = cls.__dict__.get("__doc__")
            is_complete = cls.__dict__.get("__pydantic_complete__", False)
            return docstring_of(cls, own, cls.tag) if is_complete else own

        @property
        def __signature__(cls) -> Signature:
            """How it is called, with types that can be read."""
            from microveil.field_types import signature_of

            return signature_of(cls, cls.tag)

        @__signature__.setter
        def __signature__(cls, shown: object) -> None:
            """Leave aside what pydantic would show: validators in place of types."""

        def __call__(cls, *args: object, **fields: object) -> object:
            """Build a spec; report all problems at once, each with its field."""
            if args:
                names = [name for name in cls.__pydantic_fields__ if name != cls.tag]
                raise SpecError(
                    [phrase("Name the parameters: {names}.", names=names)], cls.__name__
                )
            try:
                return super().__call__(**fields)
            except ValidationError as error:
                raise SpecError(_problems(error, cls), cls.__name__) from None

    class _Model(BaseModel, metaclass=_Named):
        pass


LARGEST_COUNT = 2**63
"""Numbers of records and the like are held in 64 bits."""


class Spec(_Model):
    """Parameters of one thing: frozen, without data, equal when their fields are equal.

    The docstring under a field is its form tooltip, its command-line help and its reference text.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        validate_default=False,
    )

    tag: ClassVar[str | None] = None
    """Field that names the kind in a file ("method", "model", …); None for specs without kinds."""

    public_parameters: ClassVar[tuple[str, ...]] = ()
    """Parameters that a public report may show: those whose effect is seen in the released data.
    Whatever tells how strong chance was, how far values moved or how small groups may be helps an
    intruder; every parameter that is not named here stays internal."""
    secret_parameters: ClassVar[tuple[str, ...]] = ()
    """Parameters that lead to a key or a seed: no report shows them."""

    @field_validator("*", mode="after")
    @classmethod
    def _counts_fit(cls, value: object) -> object:
        """Refuse whole numbers that no count can reach: what compares with them would overflow."""
        if isinstance(value, int) and abs(value) >= LARGEST_COUNT:
            raise ValueError(
                "a whole number below 2^63 is expected"
            )  # pydantic's way to be listed with the other problems
        return value

    @classmethod
    def parse(cls, raw: object, source: str | None = None) -> Self:
        """Build from plain data; report all problems at once, each with its path."""
        try:
            return cls.model_validate(raw)
        except RecursionError:
            raise SpecError(["It is nested too deeply, or contains itself."], source) from None
        except ValidationError as error:
            raise SpecError(_problems(error, cls), source) from None

    @classmethod
    def kind(cls) -> str:
        """The name of this spec in files (``k_anonymity``)."""
        if cls.tag is None:
            return cls.__name__
        return str(cls.__pydantic_fields__[cls.tag].default)

    @classmethod
    def summary(cls) -> str:
        """First line of the docstring."""
        return cls.own_docstring().strip().partition("\n")[0]

    @classmethod
    def own_docstring(cls) -> str:
        """The docstring as it stands in the source, without the parameters."""
        return str(cls.__dict__.get("__doc__") or "")

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """The JSON Schema, with the docstrings of the fields."""
        found = handler(schema)
        if own := cls.own_docstring():
            handler.resolve_ref_schema(found)["description"] = cleandoc(own)
        properties = handler.resolve_ref_schema(found).get("properties", {})
        for name, field in cls.model_fields.items():
            known = properties.get(field.alias or name)
            if known is not None and field.description:
                known["description"] = field.description
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the kind first, then each parameter that differs from its default."""
        plain = self.model_dump(mode="json", exclude_defaults=True)
        if self.tag is None:
            return plain
        return {self.tag: self.kind()} | plain

    def _repr_html_(self) -> str:
        """How a notebook shows it: what differs from the defaults, and what that means."""
        from microveil.spec_cards import card_of

        return card_of(self).html()

    @property
    def identity(self) -> str:
        """Text that is equal for equal parameters, whatever the layout of their file."""
        return identity_of(self.to_dict())


def identity_of(plain: Any) -> str:
    """Plain data as one line of JSON with sorted names: equal for equal data.

    >>> identity_of({"b": 1, "a": "é"})
    '{"a": "é", "b": 1}'
    """
    return json.dumps(plain, sort_keys=True, ensure_ascii=False, default=str)


SpecT = TypeVar("SpecT", bound=Spec)


class Registry(Generic[SpecT]):
    """The specs of one kind under their names in files.

    Used in an annotation, ``Annotated[Method, METHODS]``, it provides files, forms and the JSON
    Schema. Instances of a user's own classes are accepted too.
    """

    def __init__(self, tag: str, *classes: type[SpecT]) -> None:
        """List the classes; each has its name as the default of its ``tag`` field."""
        self.tag = tag
        self.classes: Mapping[str, type[SpecT]] = {spec.kind(): spec for spec in classes}
        self._validators: dict[str, SchemaValidator] = {}

    @classmethod
    def of_package(cls, tag: str, package: str, names: Mapping[str, str]) -> Self:
        """List the classes of a package without loading them: ``{"k_anonymity": "KAnonymity"}``.

        Each is in the module of its name in files, and is loaded when it is first needed.
        """
        registry = cls(tag)
        registry.classes = LazyClasses(package, names)
        return registry

    @property
    def homes(self) -> dict[str, str]:
        """For each class name the module that holds it, where classes are loaded on first use."""
        return self.classes.homes if isinstance(self.classes, LazyClasses) else {}

    def __iter__(self) -> Iterator[type[SpecT]]:
        """Iterate over the classes in the order of the list."""
        return iter(self.classes.values())

    def __len__(self) -> int:
        """Count the registered classes."""
        return len(self.classes)

    def __contains__(self, name: str) -> bool:
        """Whether a name is registered."""
        return name in self.classes

    def __getitem__(self, name: str) -> type[SpecT]:
        """Find a class by its name in files; an unknown name gets a hint at the nearest one."""
        if name not in self.classes:
            raise SpecError([_unknown(self.tag, name, sorted(self.classes))])
        return self.classes[name]

    def parse(self, raw: object, source: str | None = None) -> SpecT:
        """Build one registered spec from plain data with its tag."""
        if not isinstance(raw, dict) or self.tag not in raw:
            raise SpecError([_ask_for_tag(self.tag)], source)
        return self[str(raw[self.tag])].parse(raw, source)

    def _no_mapping(self, value: object) -> Message | None:
        """What is wrong with a value that has no fields, if anything."""
        if isinstance(value, type) and issubclass(value, Spec):
            return phrase(
                "Give {kind} its parameters: {kind}(…), not the class.", kind=value.__name__
            )
        if isinstance(value, Spec):
            return phrase("{kind} is no {tag}.", kind=type(value).__name__, tag=self.tag)
        if isinstance(value, str):
            return phrase(
                "Give it as a mapping: {{{tag}: {value}, …}}.", tag=self.tag, value=value[:40]
            )
        return None

    def __get_pydantic_core_schema__(
        self, source: type[SpecT], handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Validate by tag, pass instances through, and serialise as :meth:`Spec.to_dict` does."""

        def instance_or_tagged(value: object) -> object:
            if isinstance(value, source):
                return value
            if problem := self._no_mapping(value):
                raise ValueError(problem)
            return self._validator_for(value).validate_python(value)

        return core_schema.no_info_plain_validator_function(
            instance_or_tagged,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda spec: spec.to_dict()
            ),
        )

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Any of the registered specs."""
        choices = {name: spec.__pydantic_core_schema__ for name, spec in self.classes.items()}
        return handler(self._tagged_schema(choices))

    def _validator_for(self, raw: object) -> SchemaValidator:
        """The validator of the spec that plain data name: only its class is loaded."""
        name = raw.get(self.tag) if isinstance(raw, dict) else None
        if not isinstance(name, str) or name not in self.classes:
            return self._refusal
        if name not in self._validators:
            choice = {name: self.classes[name].__pydantic_core_schema__}
            self._validators[name] = SchemaValidator(self._tagged_schema(choice))
        return self._validators[name]

    @cached_property
    def _refusal(self) -> SchemaValidator:
        """Reports what is wrong with data that name none of the specs."""
        return SchemaValidator(
            self._tagged_schema(dict.fromkeys(self.classes, core_schema.any_schema()))
        )

    def _tagged_schema(self, choices: dict[Any, core_schema.CoreSchema]) -> core_schema.CoreSchema:
        return core_schema.tagged_union_schema(choices, self.tag, from_attributes=False)


def _problems(error: ValidationError, root: type[Spec]) -> list[Message]:
    return [_problem(detail, root) for detail in error.errors(include_url=False)]


def _problem(detail: ErrorDetails, root: type[Spec]) -> Message:
    """One pydantic error as one line: path, then the problem, without the value itself."""
    path = ".".join(str(part) for part in detail["loc"])
    context = detail.get("ctx", {})
    match detail["type"]:
        case "union_tag_invalid":
            known = [name.strip(" '") for name in str(context["expected_tags"]).split(",")]
            told = _unknown(str(context["discriminator"]).strip("'"), str(context["tag"]), known)
        case "union_tag_not_found":
            told = _ask_for_tag(str(context["discriminator"]).strip("'"))
        case "extra_forbidden":
            *way, field = (str(part) for part in detail["loc"])
            told = phrase("Unknown field.{hint}", hint=did_you_mean(field, _fields_at(way, root)))
        case "missing":
            told = phrase("Field required.")
        case kind:
            told = refusal(kind, detail["msg"], context)
    return compose("{path}: {told}", path=path, told=told) if path else told


def _unknown(tag: str, name: str, known: Sequence[str]) -> Message:
    """A name that no kind has, with a hint at the nearest one."""
    return phrase(
        "Unknown {tag} '{name}'.{hint} Known: {known}.",
        tag=tag,
        name=name,
        hint=did_you_mean(name, known),
        known=listing(known, most=60),
    )


def _ask_for_tag(tag: str) -> Message:
    return phrase("Give the {tag}: `{tag}: …`.", tag=tag)


def _fields_at(way: list[str], root: type[Spec]) -> list[str]:
    """The fields of the specs that a path leads to: by the types of fields, or by their kinds."""
    specs = list(_all_specs(Spec))
    named = {spec.__name__.lower(): spec for spec in specs} | {spec.kind(): spec for spec in specs}
    here = [root]
    for part in way:
        fields = [spec.model_fields[part] for spec in here if part in spec.model_fields]
        if fields:
            here = [spec for field in fields for spec in _specs_in(field.annotation)]
        elif part in named:
            here = [named[part]]
    return list(dict.fromkeys(name for spec in here for name in spec.model_fields))


def _specs_in(kind: object) -> Iterator[type[Spec]]:
    """The specs that a type is made of: itself, or the content of a list, a mapping, a choice."""
    if isinstance(kind, type) and not get_args(kind):
        if issubclass(kind, Spec):
            yield kind
        return
    for inner in get_args(kind):
        yield from _specs_in(inner)


def _all_specs(root: type[Spec]) -> Iterator[type[Spec]]:
    for spec in root.__subclasses__():
        if spec.tag is None or spec.tag in spec.__pydantic_fields__:
            yield spec
        yield from _all_specs(spec)
