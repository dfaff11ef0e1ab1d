"""Records of releases: every rule and its result, bound to the output, signed and verified."""
