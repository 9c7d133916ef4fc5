"""Pincite answers questions from an organisation's documents and pins every claim to the page."""

__version__ = "0.1.0"
