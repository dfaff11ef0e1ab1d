"""Compiled loops over NumPy arrays: arrays in, arrays out; nothing of ours is imported here."""
