"""How tests register their data."""

ADD = "add survey.parquet --owner-file survey.yaml"
