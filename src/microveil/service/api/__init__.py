"""The HTTP interface: analysts' and owners' endpoints, limits, logs and metrics."""
