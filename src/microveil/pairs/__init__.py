"""An original and its release side by side: rows, numbers, order."""
