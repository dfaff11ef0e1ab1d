"""What utility measures share."""
