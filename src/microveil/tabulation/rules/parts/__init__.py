"""What primary rules share."""
