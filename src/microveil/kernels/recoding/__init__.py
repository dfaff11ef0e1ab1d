"""Local recoding: classes that merge, move and keep promises."""
