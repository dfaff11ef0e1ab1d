"""Paths: how many people share each short piece of a path, and which points make pieces rare."""
