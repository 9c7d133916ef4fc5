"""Chunks → a searchable release."""
