"""What pages state about the registries: counts, lists, and a first page of each method.

    python docs/listing.py      # from the project's root: brings all of it up to date

Counts and missing names are written into README and the home page. A method that has no page yet
gets one from its docstring, with its line in the overview and in the navigation.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import microveil as mv

ROOT = Path(__file__).resolve().parent.parent
METHODS = ROOT / "docs" / "methods"
COUNTS: dict[str, Any] = {
    "methods": mv.METHODS,
    "privacy models": mv.MODELS,
    "risk measures": mv.RISK_MEASURES,
    "utility measures": mv.UTILITY_MEASURES,
}


def counted(text: str) -> str:
    """A page with the numbers of methods, models and measures that there are now."""
    for what, registry in COUNTS.items():
        text = re.sub(rf"\b\d+ (\[?){what}", rf"{len(registry)} \g<1>{what}", text)
    return text


def listed(text: str) -> str:
    """README with every name; new ones are in the row of their kind's last group."""
    for what, registry in COUNTS.items():
        lacking = [name for name in registry.classes if f"`{name}`" not in text]
        if lacking:
            names = " ".join(f"`{name}`" for name in lacking)
            text = re.sub(rf"(?m)^(\| \d+ {what}.*) \|$", rf"\g<1> {names} |", text)
    return text


def page_of(method: type[mv.Method]) -> str:
    """A first page: summary, details and example from the docstring, parameters from the fields."""
    words = inspect.getdoc(method) or ""
    details, _, example = words.partition(">>> ")
    summary, _, rest = details.partition("\n")
    rows = [
        f"| `{name}` | {' '.join((field.description or '').split())} |"
        for name, field in method.model_fields.items()
        if name != method.tag
    ]
    parts = [
        f"# {method.kind()}: {summary[0].lower()}{summary[1:].rstrip('.')}",
        " ".join(rest.split()),
        "\n".join(["| parameter | meaning |", "|---|---|", *rows]),
    ]
    if example:
        named = re.sub(rf"\b{method.__name__}\(", f"mv.{method.__name__}(", example.strip())
        setting = f">>> import microveil as mv\n>>> {named}\n"
        parts.append(f"```python\n{setting}\n```")
    return "\n\n".join(part for part in parts if part) + "\n"


def line_of(method: type[mv.Method]) -> str:
    """A line of the overview."""
    kind, summary = method.kind(), method.summary().rstrip(".")
    by_chance = "yes" if method.__dict__.get("perturbative") is True else "see its page"
    words = f"{summary[0].lower()}{summary[1:]}"
    return f"| [`{kind}`]({kind}.md) | {words} | {by_chance} | see its page |"


def in_overview(text: str, method: type[mv.Method]) -> str:
    """The overview with a line for the method, below the others."""
    if f"[`{method.kind()}`]" in text:
        return text
    last = list(re.finditer(r"(?m)^\| \[`\w+`\]\(\w+\.md\) \|.*\n", text))[-1]
    return f"{text[: last.end()]}{line_of(method)}\n{text[last.end() :]}"


def in_navigation(text: str, method: type[mv.Method]) -> str:
    """The navigation with the method's page, below the others."""
    if f"- methods/{method.kind()}.md\n" in text:
        return text
    last = list(re.finditer(r"(?m)^( +)- methods/\w+\.md\n", text))[-1]
    return f"{text[: last.end()]}{last[1]}- methods/{method.kind()}.md\n{text[last.end() :]}"


def pages() -> dict[Path, str]:
    """Every file that states something about the registries, as it should be."""
    readme, home = ROOT / "README.md", ROOT / "docs" / "index.md"
    overview, navigation = METHODS / "index.md", ROOT / "mkdocs.yml"
    wanted = {path: path.read_text(encoding="utf-8") for path in (overview, navigation)}
    wanted[readme] = counted(listed(readme.read_text(encoding="utf-8")))
    wanted[home] = counted(home.read_text(encoding="utf-8"))
    for method in mv.METHODS:
        wanted[overview] = in_overview(wanted[overview], method)
        wanted[navigation] = in_navigation(wanted[navigation], method)
        page = METHODS / f"{method.kind()}.md"
        if not page.exists():
            wanted[page] = page_of(method)
    return wanted


def main() -> None:
    """Write what is not up to date."""
    for path, text in pages().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"written: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
