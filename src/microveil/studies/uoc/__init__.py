"""UOC (S1): a course module on privacy in data publishing, example by example."""

from microveil.studies.uoc.study import Uoc

__all__ = ["Uoc"]
