"""What searches for unique sets of columns share."""
