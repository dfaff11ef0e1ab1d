"""Groups of near records: MDAV and its kin, optimal cuts, refinement."""
