"""A legacy parts database, read-only: part numbers, OEM numbers and words in, rows out; rows or nothing."""

from pincite.catalogue.catalogue import Catalogue
from pincite.catalogue.part import EXACT, ROWS, Found, Lookup, Match, Part

__all__ = ["EXACT", "ROWS", "Catalogue", "Found", "Lookup", "Match", "Part"]
