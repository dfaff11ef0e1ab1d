"""Statistics of plain arrays that several packages need: no tables, no column names."""
