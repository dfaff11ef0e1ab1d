"""Search for local recodings: classes that each have labels of their own."""
