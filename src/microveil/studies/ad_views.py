"""Advertisement views: a stand-in for the data set of the St Petersburg lab report (2022)."""

from __future__ import annotations

from datetime import date
from importlib import resources
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from microveil.recipes import Recipe

N_VIEWS = 260_000
YEAR = 2021

PLATFORMS: Mapping[str, Sequence[str]] = {
    "social network": ("Vkontakte", "Odnoklassniki", "Facebook", "Instagram", "Twitter"),
    "video hosting": ("YouTube", "RuTube", "Vimeo", "Twitch"),
    "dating site": ("Mamba", "Tinder", "Badoo", "LovePlanet"),
    "information resource": ("Wikipedia", "Habr", "Lenta", "RBC", "Yandex News"),
}
PRODUCTS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "winter": {
        "felt boots": ("Kotofey", "Nordman", "Kalinka"),
        "down jacket": ("Bask", "Finn Flare", "Columbia"),
        "ugg boots": ("UGG", "Keddo", "Emu"),
        "skates": ("Bauer", "CCM", "Nordway"),
    },
    "spring": {
        "windbreaker": ("Nike", "Puma", "Demix"),
        "suit": ("Henderson", "Sudar", "Kanzler"),
    },
    "summer": {
        "sunglasses": ("Ray-Ban", "Polaroid", "Oakley"),
        "swimsuit": ("Arena", "Speedo", "Joss"),
    },
    "autumn": {
        "umbrella": ("Fulton", "Doppler", "Zest"),
        "blanket": ("Togas", "Cleanelly", "IKEA"),
    },
}
SEASONS: Mapping[str, tuple[int, ...]] = {
    "winter": (12, 1, 2),
    "spring": (3, 4, 5),
    "summer": (6, 7, 8),
    "autumn": (9, 10, 11),
}
MEAN_SECONDS = 280
"""Mean viewing time. Its exponential tail gives the report's shape: at 260,000 views and the
report's recoding some 180 unique rows and about 0.3 % of rows in classes below five."""


def ad_views(n: int = N_VIEWS, seed: int = 2022) -> pl.DataFrame:
    """Seeded advertisement views: who saw which advertisement where, when and for how long.

    Columns: user, ip_address, platform, date, n_ads, viewing_seconds, product (with its brand).
    A product is advertised in its season. All data are artificial.

    >>> ad_views(3).columns[:4]
    ['user', 'ip_address', 'platform', 'date']
    """
    rng = np.random.default_rng(seed)
    season, product = _products(n, rng)
    platforms = [name for group in PLATFORMS.values() for name in group]
    parts = rng.integers(1, 255, size=(4, n))
    user = rng.integers(0, max(n // 3, 1), n)
    return pl.DataFrame(
        {
            "user": pl.Series(user).cast(pl.String).str.zfill(6).str.replace("^", "user"),
            "ip_address": pl.select(
                pl.concat_str([pl.lit(pl.Series(part)) for part in parts], separator=".")
            ).to_series(),
            "platform": pl.Series(platforms).gather(rng.integers(0, len(platforms), n)),
            "date": _dates(season, rng),
            "n_ads": rng.poisson(3, n) + 1,
            "viewing_seconds": (5 + rng.exponential(MEAN_SECONDS, n)).astype(np.int64),
            "product": product,
        }
    )


def _products(n: int, rng: np.random.Generator) -> tuple[np.ndarray, pl.Series]:
    """Season of each view, and a product with its brand of that season."""
    branded = [
        (number, f"{product} {brand}")
        for number, (_, products) in enumerate(PRODUCTS.items())
        for product, brands in products.items()
        for brand in brands
    ]
    chosen = rng.integers(0, len(branded), n)
    seasons = np.array([season for season, _ in branded])[chosen]
    return seasons, pl.Series([name for _, name in branded]).gather(chosen)


def _dates(season: np.ndarray, rng: np.random.Generator) -> pl.Series:
    """A day in one of the season's months."""
    months = np.array(list(SEASONS.values()))
    month = months[season, rng.integers(0, 3, len(season))]
    first = np.array([date(YEAR, m, 1) for m in range(1, 13)], dtype="datetime64[D]")
    length = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
    day = (rng.random(len(season)) * length[month - 1]).astype(np.int64)
    return pl.Series(first[month - 1] + day.astype("timedelta64[D]")).cast(pl.Date)


def ad_views_recipe() -> Recipe:
    """The recipe of the report's program; the same file is in ``examples/``."""
    from microveil.recipes import Recipe

    text = resources.files(__package__).joinpath("ad_views.yaml").read_text(encoding="utf-8")
    return Recipe.from_yaml(text, source="ad_views.yaml")
