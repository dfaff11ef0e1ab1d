"""What steps share."""
