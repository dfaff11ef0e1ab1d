"""The assessment of one table, and verdicts in words."""
