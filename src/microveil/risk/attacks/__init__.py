"""What attacks share: questions, neighbours, columns, success rates."""
