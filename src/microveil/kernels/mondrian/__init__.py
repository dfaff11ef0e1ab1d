"""Mondrian, top-down partitioning: cuts, partitions, summaries."""
