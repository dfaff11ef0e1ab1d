"""Steps that a cluster performs in its own way; all others are planned and applied in parts."""
