"""Search in the lattice of full-domain generalisations."""
