"""`python -m microveil` is `microveil`."""

from microveil.cli import main

main()
