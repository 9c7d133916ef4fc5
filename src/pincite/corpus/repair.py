"""Bytes → an opened document; a file that PDFium cannot open is saved anew by qpdf and opened then.

Call it only in a jailed worker, as ``pdfium``: a damaged file may be a hostile one, and qpdf has no limits of its own.
"""

from __future__ import annotations

import io
import logging
from typing import NamedTuple

from pincite.corpus.pdfium import Document, open_document
from pincite.errors import DamagedPdf


class Opened(NamedTuple):
    """A document; who opens it closes it."""

    document: Document
    repaired: bool
    """Whether it is not the file's own bytes that were opened: pages may be missing."""


def open_or_repair(data: bytes, source: str) -> Opened:
    """Return the opened document, from a repaired copy where the bytes themselves cannot be opened or hold no page.

    Raises:
        UnreadablePdf: The bytes are no PDF, are protected, or are damaged beyond repair.
    """
    try:
        document = open_document(data, source)
    except DamagedPdf as error:
        return Opened(open_document(_repaired(data, error), source), True)
    if len(document) > 0:
        return Opened(document, False)
    document.close()
    empty = DamagedPdf("the file has no pages; export it again", source=source)
    document = open_document(_repaired(data, empty), source)
    if len(document) > 0:
        return Opened(document, True)
    document.close()
    raise empty


def _repaired(data: bytes, error: DamagedPdf) -> bytes:
    """Return the bytes as qpdf saves them; raise ``error`` if it cannot either."""
    import pikepdf  # lxml and Pillow come along: only for the files that need it

    # It repeats every fault it mends, and the worker's standard error is read by nobody.
    logging.getLogger("pikepdf").setLevel(logging.CRITICAL)
    saved = io.BytesIO()
    try:
        with pikepdf.open(io.BytesIO(data), suppress_warnings=True) as pdf:
            if len(pdf.pages) == 0:
                raise error
            # Streams are copied as they are: one that unpacks to gigabytes stays packed.
            pdf.save(saved, stream_decode_level=pikepdf.StreamDecodeLevel.none, compress_streams=False)
    except (pikepdf.PdfError, RuntimeError, ValueError, LookupError, TypeError) as fault:
        # Its own error, and what its binding makes of the exceptions of the C++ library.
        raise error from fault
    return saved.getvalue()
