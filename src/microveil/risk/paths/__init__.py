"""Paths of people through places or states: what an intruder knows of them, as numbers."""
