"""A verifier that shares no code with the library: it restates every promise and hunts for gaps."""
