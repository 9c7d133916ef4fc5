"""The journal's tables and the steps that lead to them, shipped in the wheel."""
