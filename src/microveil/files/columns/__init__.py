"""Columns as they are read: types, dates as people write them, and what a recipe says of both."""
