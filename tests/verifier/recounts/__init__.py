"""Measures worked out again, slowly and plainly, from what their pages say."""
