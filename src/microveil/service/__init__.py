"""The differential-privacy query service: ledger, keys, HTTP interface and client."""

from microveil.service.client import RemoteTable, Result, Service, ServiceError, connect

__all__ = ["RemoteTable", "Result", "Service", "ServiceError", "connect"]
