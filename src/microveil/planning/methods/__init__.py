"""How steps are planned: one file per method where a plan is more than a look at its classes."""
