"""Metadata: what a release contains, in the formats that archives and catalogues read."""

from microveil.metadata.describing import describe_file, describe_release
from microveil.metadata.model import Metadata
from microveil.metadata.study import Study

__all__ = ["Metadata", "Study", "describe_file", "describe_release"]
