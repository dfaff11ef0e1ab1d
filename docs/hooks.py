"""Fills the reference page from the registries and the command line, so that it cannot go stale."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from microveil.specs import Registry, Spec


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Put each section in place of its mark, ``<!-- methods -->`` and the like."""
    if page.file.src_uri not in {"reference.md", "python-reference.md"}:
        return markdown
    return filled(markdown)


def filled(markdown: str) -> str:
    """The page with every mark replaced."""
    return re.sub(r"<!-- (\w+) -->", lambda mark: _SECTIONS[mark[1]](), markdown)


def _recipe() -> str:
    from microveil.recipes import Recipe

    return _fields(Recipe)


def _roles() -> str:
    from microveil.tables import Roles

    return _fields(Roles)


def _methods() -> str:
    from microveil.methods import METHODS

    return _specs(METHODS, page="methods/{}.md")


def _models() -> str:
    from microveil.privacy import MODELS

    return _specs(MODELS, page="models/{}.md")


def _measures() -> str:
    from microveil.risk import RISK_MEASURES
    from microveil.utility import UTILITY_MEASURES

    risk = _specs(RISK_MEASURES, page="risk/{}.md")
    return f"{risk}\n{_specs(UTILITY_MEASURES, page='utility/{}.md')}"


def _hierarchies() -> str:
    from microveil.hierarchies import HIERARCHIES

    return _specs(HIERARCHIES)


def _queries() -> str:
    from microveil.dp import QUERIES

    return _specs(QUERIES)


def _declaration() -> str:
    from microveil.dp import Column, Declaration, Entity, PublicTable

    named: dict[str, type[Spec]]
    named = {"declaration": Declaration, "column": Column, "entity": Entity, "table": PublicTable}
    return "\n".join(f"### {name}\n\n{_fields(spec)}" for name, spec in named.items())


def _generators() -> str:
    from microveil.synthesis import GENERATORS

    return _specs(GENERATORS)


def _commands() -> str:
    from microveil.cli.commands import COMMANDS, GROUPS

    parts = [_command(name, function) for name, function in COMMANDS.items()]
    for group, typer in GROUPS.items():
        parts += [
            _command(f"{group} {one.name}", one.callback) for one in typer.registered_commands
        ]
    return "\n".join(parts)


def _functions() -> str:
    import microveil
    from microveil import app, files, hierarchies

    rooms = (app, files, hierarchies)
    names = [name for room in rooms for name in room.__all__ if name in dir(microveil)]
    public = ((name, getattr(microveil, name)) for name in names)
    return "\n".join(_function(f"mv.{n}", one) for n, one in public if inspect.isfunction(one))


def _results() -> str:
    import microveil

    names = [
        *("Table", "Classes", "Draft", "Release", "Check", "Score", "Assessment", "Comparison"),
        *("Exploration", "SearchResult", "Inspection", "FileRun", "Verdict", "Recipe", "Hierarchy"),
    ]
    return "\n".join(_class(f"mv.{name}", getattr(microveil, name)) for name in names)


def _figures() -> str:
    from microveil import plots

    return "\n".join(_function(f"plots.{name}", getattr(plots, name)) for name in plots.__all__)


def _names() -> str:
    import microveil

    rows = [
        (f"`mv.{name}`", _summary(getattr(microveil, name)))
        for name in dir(microveil)
        if not name.startswith("__")
    ]
    return _table(("name", "what it is"), rows)


def _summary(thing: Any) -> str:
    if isinstance(thing, Registry):
        return f"All that recipes name by `{thing.tag}`, by their names in files."
    own = not isinstance(thing, dict | tuple | list)
    return _text((inspect.getdoc(thing) or "").partition("\n\n")[0]) if own else "A table of constants."


def _errors() -> str:
    from microveil import errors

    rows = [
        (f"`mv.{name}`", _text(inspect.getdoc(getattr(errors, name)) or ""), str(getattr(errors, name).exit_code))
        for name in errors.__all__
    ]
    return _table(("error", "when", "exit code"), rows)


_SECTIONS = {
    "names": _names,
    "functions": _functions,
    "results": _results,
    "figures": _figures,
    "errors": _errors,
    "recipe": _recipe,
    "roles": _roles,
    "methods": _methods,
    "models": _models,
    "measures": _measures,
    "queries": _queries,
    "declaration": _declaration,
    "hierarchies": _hierarchies,
    "generators": _generators,
    "commands": _commands,
}


def _specs(specs: Iterable[type[Spec]], page: str | None = None) -> str:
    parts = []
    for spec in specs:
        more = _more(page.format(spec.kind())) if page else ""
        parts.append(f"### {spec.kind()}\n\n`{spec.__name__}`: {_text(spec.summary())}{more}\n")
        parts.append(_fields(spec))
    return "\n".join(parts)


def _more(page: str) -> str:
    """A link to the page about a spec, or to the overview where it has none of its own."""
    own = Path(__file__).parent / page
    return f" [More]({page if own.is_file() else own.parent.name + '.md'})."


def _fields(spec: type[Spec]) -> str:
    properties = spec.model_json_schema().get("properties", {})
    rows = [
        (f"`{name}`", _text(field.description or ""), _default(field, properties.get(name, {})))
        for name, field in ((f.alias or n, f) for n, f in spec.model_fields.items())
        if name != spec.tag
    ]
    if not rows:
        return "No parameters.\n"
    return _table(("parameter", "meaning", "default"), rows)


def _default(field: Any, schema: dict[str, Any]) -> str:
    if field.is_required():
        return "needed"
    default = schema.get("default")
    empty = default in (None, [], {}) or isinstance(default, dict)
    return "–" if empty else f"`{str(default).lower() if isinstance(default, bool) else default}`"


def _command(name: str, function: Any) -> str:
    rows = []
    for parameter in inspect.signature(function, eval_str=True).parameters.values():
        info = parameter.annotation.__metadata__[0]
        flags = ", ".join(f"`{flag}`" for flag in getattr(info, "param_decls", None) or ())
        title = flags or f"`{info.metavar or parameter.name.upper()}`"
        needed = parameter.default is inspect.Parameter.empty
        shown = parameter.default not in (None, False)
        default = "needed" if needed else f"`{parameter.default}`" if shown else "–"
        rows.append((title, _text(info.help or ""), default))
    summary = _text((function.__doc__ or "").strip().partition("\n")[0])
    table = _table(("argument", "meaning", "default"), rows) if rows else ""
    return f"### microveil {name}\n\n{summary}\n\n{table}"


def _function(name: str, function: Any) -> str:
    return f"### {name}\n\n{_signature(name, function)}\n{_paragraphs(function)}\n"


def _class(name: str, kind: type) -> str:
    parts = [f"### {name}\n\n{_paragraphs(kind)}\n"]
    rows = []
    for member, value in vars(kind).items():
        if member.startswith("_") or member in {"model_config", "card", "tag"}:
            continue
        inner = getattr(value, "__func__", getattr(value, "fget", getattr(value, "func", value)))
        if not callable(inner) or isinstance(inner, type) or not inspect.getdoc(inner):
            continue
        shown = f"`{member}`" if inner is not value and not hasattr(value, "__func__") else f"`{member}()`"
        rows.append((shown, _text((inspect.getdoc(inner) or "").partition("\n\n")[0])))
    return "\n".join([*parts, _table(("member", "meaning"), rows) if rows else ""])


def _signature(name: str, function: Any) -> str:
    parameters = inspect.signature(function).parameters.values()
    lines = "".join(f"    {_parameter(one)},\n" for one in parameters if one.name != "progress")
    return f"```text\n{name}(\n{lines})\n```\n"


def _parameter(one: inspect.Parameter) -> str:
    stars = "*" * (one.kind == one.VAR_POSITIONAL) + "**" * (one.kind == one.VAR_KEYWORD)
    default = "" if one.default is one.empty else f" = {one.default!r}"
    return f"{stars}{one.name}: {one.annotation}{default}"


def _paragraphs(thing: Any) -> str:
    """The docstring without its examples."""
    text = (inspect.getdoc(thing) or "").partition("\n\n>>>")[0].partition("\n>>>")[0]
    return "\n\n".join(_text(part) for part in text.split("\n\n"))


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _text(words: str) -> str:
    """Docstring text as one line of Markdown."""
    plain = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", words.replace("``", "`"))
    return re.sub(r"\s+", " ", plain).replace("|", "\\|").strip()
