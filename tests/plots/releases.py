"""Two releases that tests of several figures draw."""

from tests.plots.cases import coarse, noisy

NOISY, COARSE = noisy(), coarse()
