"""From classes to people: record risks, households, log-linear models."""
