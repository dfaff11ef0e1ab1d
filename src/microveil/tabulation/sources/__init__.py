"""Where the records of tables come from: a frame, parts that need not fit into memory, counts."""
