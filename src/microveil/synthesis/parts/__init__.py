"""What generators share: their interface, columns as numbers, and what is done with a model."""
