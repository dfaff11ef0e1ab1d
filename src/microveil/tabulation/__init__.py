"""Tables from microdata: tabulations, primary rules, protections and the audit."""

from microveil.tabulation.tables import ProtectedTables
from microveil.tabulation.tabulating import tabulate
from microveil.tabulation.tabulation import CellColumns, Tabulation

__all__ = ["CellColumns", "ProtectedTables", "Tabulation", "tabulate"]
