"""What measures of linkage share: distances, agreement, assignment."""
