"""Linked tables: people over several tables, protected, checked and written together."""

from microveil.linked.checking import check_linked, people_view
from microveil.linked.explaining import explain_linked
from microveil.linked.links import Link, propose_links
from microveil.linked.recipe import LinkedRecipe
from microveil.linked.release import LinkedRelease
from microveil.linked.running import run_linked
from microveil.linked.table_set import TableSet

__all__ = [
    "Link",
    "LinkedRecipe",
    "LinkedRelease",
    "TableSet",
    "check_linked",
    "explain_linked",
    "people_view",
    "propose_links",
    "run_linked",
]
