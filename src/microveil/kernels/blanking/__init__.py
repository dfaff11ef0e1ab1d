"""Local suppression: which cells to blank, and which rows match when a key is missing."""
