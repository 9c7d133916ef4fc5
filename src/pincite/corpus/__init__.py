"""Documents in: bytes → pages, sections, tables, chunks."""
