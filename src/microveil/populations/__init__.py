"""The population behind a table: its size, its people, and what class sizes tell about it."""
