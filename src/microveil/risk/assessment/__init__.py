"""The assessment of one table, with verdicts in words."""
