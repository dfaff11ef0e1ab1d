"""The checker's page: every output with its verdict, for a person to decide."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

_STYLE = (
    "body{font-family:sans-serif;max-width:70em;margin:2em auto}td,th{padding:.3em .8em;"
    "text-align:left;vertical-align:top;border-bottom:1px solid #ccc}.pass{color:#1a7f37}"
    ".review{color:#9a6700}.fail{color:#cf222e}"
)


def checker_page(project: str, records: Sequence[dict[str, Any]]) -> str:
    """The page of all records; no script runs, and nothing is fetched."""
    rows = "".join(_row(record) for record in records)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        f"style-src 'unsafe-inline'\"><title>Outputs of {escape(project)}</title>"
        f"<style>{_STYLE}</style></head><body><h1>Outputs of {escape(project)}</h1>"
        "<table><tr><th>output</th><th>verdict</th><th>reasons</th><th>n</th><th>code</th></tr>"
        f"{rows}</table></body></html>\n"
    )


def _row(record: dict[str, Any]) -> str:
    reasons = [*record["reasons"]]
    if record["exception"]:
        reasons.append(f"Reason given: {record['exception']}")
    told = "<br>".join(escape(one) for one in reasons)
    verdict = escape(record["verdict"])
    return (
        f'<tr><td>{escape(record["name"])}</td><td class="{verdict}">{verdict}</td>'
        f"<td>{told}</td><td>{record['n']:,}</td><td><code>{escape(record['code'])}</code></td></tr>"
    )
