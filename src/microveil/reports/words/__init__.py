"""Words of a report: its language, its numbers, and what specs are called."""
