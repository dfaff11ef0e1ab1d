"""Everything that leaves a project: outputs with verdicts, and the check of all together."""
