"""Passages → a gated answer."""
