"""What a person works on: data, a plan with its history, and what was found out about them."""
