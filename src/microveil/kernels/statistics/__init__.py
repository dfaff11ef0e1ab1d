"""Loops of statistical estimates."""
