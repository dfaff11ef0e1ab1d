"""Compiled loops over NumPy arrays: arrays in, arrays out, with no import from other rooms."""
