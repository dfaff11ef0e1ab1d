"""Released labels: their notation, the values they cover, and how they overlap."""
