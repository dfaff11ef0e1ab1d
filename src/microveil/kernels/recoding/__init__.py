"""Local recoding: merging classes, moving records, checking requirements."""
