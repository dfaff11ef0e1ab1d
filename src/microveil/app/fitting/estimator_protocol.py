"""What scikit-learn asks of an estimator, answered with its own classes where it is installed."""

from __future__ import annotations

from functools import cache
from typing import Any

from microveil.errors import InputError


def describe() -> Any:
    """The tags of a transformer that takes frames with text and missing values."""
    from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

    return Tags(
        estimator_type=None,
        target_tags=TargetTags(required=False),
        transformer_tags=TransformerTags(preserves_dtype=[]),
        input_tags=InputTags(categorical=True, string=True, allow_nan=True),
    )


def request_nothing(owner: Any) -> Any:
    """A request for no metadata, so that routed weights reach the estimators behind."""
    from sklearn.utils.metadata_routing import MetadataRequest

    return MetadataRequest(owner=type(owner).__name__)


def is_not_fitted(told: str) -> InputError:
    """The error of an estimator that has learnt nothing, which scikit-learn knows as its own."""
    return _not_fitted_class()(told)


@cache
def _not_fitted_class() -> type[InputError]:
    try:
        from sklearn.exceptions import NotFittedError as TheirError
    except ImportError:
        return InputError

    class NotFittedError(InputError, TheirError):  # type: ignore[misc]  # untyped
        """Nothing was learnt yet."""

    return NotFittedError
