"""Growing decision trees, for models of synthetic records."""
