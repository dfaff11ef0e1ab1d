"""Loops of statistical estimators."""
