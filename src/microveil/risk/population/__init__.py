"""From classes to people: records, households, log-linear models."""
