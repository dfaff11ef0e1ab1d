"""What tests of several commands share."""

from __future__ import annotations

KEY = "0123456789abcdef0123456789abcdef"
SECRET = "zebra-cell-77"
