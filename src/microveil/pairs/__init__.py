"""An original and its release compared: matching rows, numbers, row order."""
