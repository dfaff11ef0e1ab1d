"""The one matching rule: how much a row counts for another when cells are missing."""

from microveil.kernels.jit import kernel


@kernel
def counted_share(mine: int, theirs: int, full: int, several: bool, alpha: float) -> float:  # noqa: FBT001  compiled: no keywords
    """How much a row with the cells `theirs` missing counts for one with `mine` missing.

    Both agree in every cell that neither lacks. Missing cells are bits, `full` all of them,
    `several` whether there are two columns or more. The rule is sdcMicro's (Templ, Kowarik &
    Meindl 2015): a missing cell matches every value; a match that exists only because of a missing
    cell counts `alpha`, except that a row with missing cells counts complete rows in full; a row
    with every cell missing counts all rows, but is not counted by complete rows of several columns.

    >>> [counted_share(mine, 3, 3, True, 1.0) for mine in (0, 1, 3)]
    [0.0, 1.0, 1.0]
    """
    if theirs in (0, mine) or mine == full:
        return 1.0
    if mine == 0 and theirs == full and several:
        return 0.0
    return alpha


def silent_pattern(n_columns: int) -> int:
    """The pattern of missing cells, as bits, that complete rows do not count; 0 if there is none.

    >>> silent_pattern(3), silent_pattern(1)
    (7, 0)
    """
    full = (1 << n_columns) - 1
    return 0 if counted_share(0, full, full, n_columns > 1, 1.0) else full
