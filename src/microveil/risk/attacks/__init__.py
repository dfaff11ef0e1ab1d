"""Shared by the attacks: queries, neighbours, columns, success rates."""
