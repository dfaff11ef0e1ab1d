"""Statistics of arrays that several rooms need: no table, no column name."""
