"""What questions cost: losses, prices, plans, and questions that are paid once."""
