"""Top-down partitioning: cuts, partitions, summaries."""
