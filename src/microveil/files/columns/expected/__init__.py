"""Expected: what data should look like, inferred from earlier data, and compared with new ones."""
