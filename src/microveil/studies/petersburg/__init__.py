"""St Petersburg (S4): a depersonalisation program."""

from microveil.studies.petersburg.study import Petersburg

__all__ = ["Petersburg"]
