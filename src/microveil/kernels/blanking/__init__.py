"""Which cells to blank, and who matches whom when a key is missing."""
