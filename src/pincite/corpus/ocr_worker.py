"""The jail of OCR: a child process that renders one page of a PDF and reads it. An engine takes a GiB of memory.

python -m pincite.corpus.ocr_worker rapidocr|tesseract
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from pincite.corpus.worker import Job, Reader, serve


def _prepare() -> Reader:
    from pincite.corpus import ocr
    from pincite.corpus.library import recognised_to_json
    from pincite.corpus.pdfium import picture_of
    from pincite.corpus.repair import open_or_repair
    from pincite.corpus.scan import read_picture
    from pincite.errors import UnreadablePdf

    found = ocr.find_engine("rapidocr" if sys.argv[1] == "rapidocr" else "tesseract")
    if found is None:
        raise SystemExit(3)
    engine = ocr.load_engine(found)

    def read(job: Job, on_page: Callable[[int, int], None]) -> bytes:
        del on_page  # one job is one page
        document, _ = open_or_repair(Path(job["path"]).read_bytes(), job["source"])
        try:
            shown = picture_of(document, int(job["page"]) - 1, dpi=found.dpi)
        finally:
            document.close()
        if shown is None:
            raise UnreadablePdf("it cannot be rendered, or is too large for that", source=job["source"])
        picture, rotation = shown
        return recognised_to_json(
            read_picture(picture, engine, page=int(job["page"]), name=found.id, rotation=rotation)
        )

    return read


if __name__ == "__main__":
    serve(_prepare)
