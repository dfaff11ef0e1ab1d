"""The browser app: one page per file, thin over the use cases."""
