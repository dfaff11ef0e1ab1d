"""Script: a Python program that makes the same release as the app did."""

from __future__ import annotations

from microveil.recipes import Recipe

_LINES = '''\
"""Makes the release again: python release.py"""

import microveil as mv

recipe = mv.Recipe.from_yaml({recipe})

release = mv.run(recipe, mv.read({source}, reading=recipe.reading))
print(release)
release.write({target})
release.report("report.html")
'''


def script_of(recipe: Recipe, source: str, target: str) -> str:
    """The recipe as a program; names are written as Python writes them, never run.

    >>> print(script_of(Recipe(), "in.csv", "out.csv").splitlines()[-2])
    release.write('out.csv')
    """
    return _LINES.format(recipe=_block(recipe.to_yaml()), source=repr(source), target=repr(target))


def _block(text: str) -> str:
    """A text of several lines as one literal per line, so that quotes in it end nothing."""
    lines = "\n".join(f"    {line!r}" for line in text.splitlines(keepends=True))
    return f"(\n{lines}\n)"
