"""Microaggregation: MDAV and its variants, optimal univariate cuts, refinement."""
