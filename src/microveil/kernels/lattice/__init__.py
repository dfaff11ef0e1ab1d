"""Nodes of a generalisation lattice: groups, rules, losses."""
