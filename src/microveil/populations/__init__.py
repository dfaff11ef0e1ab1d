"""The population behind a table: its size, its people, and what class sizes imply about it."""
