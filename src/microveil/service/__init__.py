"""The differential-privacy query service: ledger, keys, HTTP interface and client."""
