"""The source documents' experiments: their data, and later their tables beside ours."""

from microveil.studies.ad_views import ad_views, ad_views_recipe

__all__ = ["ad_views", "ad_views_recipe"]
