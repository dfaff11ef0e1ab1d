"""Presets: recipes that follow a published rule, adapted to a table's columns."""

from microveil.app.preset_recipes.use_case import PresetCheck, check_preset, preset, presets

__all__ = ["PresetCheck", "check_preset", "preset", "presets"]
