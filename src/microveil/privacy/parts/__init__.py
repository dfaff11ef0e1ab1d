"""What privacy models share."""
