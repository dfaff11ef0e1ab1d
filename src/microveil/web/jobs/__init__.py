"""Jobs: long work in a process of its own, with progress and cancel."""

from microveil.web.jobs.job import Job, JobState
from microveil.web.jobs.spare import Workers

__all__ = ["Job", "JobState", "Workers"]
