"""Shared by the privacy models."""
