"""Question → passages."""
