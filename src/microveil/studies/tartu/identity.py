"""Identity disclosure of many replications."""

from __future__ import annotations

import numpy as np

from microveil.arrays import Floats
from microveil.risk.identity_disclosure import likeliest_credits


def reidentified_shares(data: Floats, released: Floats) -> Floats:
    """Per run, the share of records that Fuller's matching finds, column by column.

    Matching that learns from all columns jointly would find 11 % of 30 records of six independent
    columns, where the slides print 4 %.
    """
    pairs = zip(data, released, strict=True)
    shares = [likeliest_credits(before, after, each=True).mean() for before, after in pairs]
    return np.array(shares).reshape(-1, 1)
