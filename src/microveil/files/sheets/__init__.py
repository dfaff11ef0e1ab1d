"""Sheets of office programs: XLSX and ODS."""
