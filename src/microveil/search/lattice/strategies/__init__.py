"""Ways to search a lattice: one file each."""
