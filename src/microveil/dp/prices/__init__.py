"""What queries cost: losses, prices, plans, and queries that are paid once."""
