"""Steps that a cluster takes in a way of its own; all others are planned and applied in parts."""
