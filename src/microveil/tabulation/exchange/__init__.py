"""Files of τ-Argus: data with their metadata, statuses given beforehand, tables."""
