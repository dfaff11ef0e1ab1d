"""Search for classes that each have labels of their own."""
