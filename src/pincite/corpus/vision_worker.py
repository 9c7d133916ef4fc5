"""The jail of pictures: a child process that renders a page of a PDF, or a part of one, as PNG. It sends nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pincite.corpus.worker import Job, Reader, serve

DPI = 300


def _prepare() -> Reader:
    import numpy as np

    from pincite.corpus.pdfium import picture_of
    from pincite.corpus.repair import open_or_repair
    from pincite.corpus.vision import png
    from pincite.errors import UnreadablePdf

    def read(job: Job, on_page: Callable[[int, int], None]) -> bytes:
        del on_page  # one job is one picture
        document, _ = open_or_repair(Path(job["path"]).read_bytes(), job["source"])
        try:
            x0, y0, x1, y1 = (float(side) for side in job["box"])
            shown = picture_of(document, int(job["page"]) - 1, dpi=DPI, part=(x0, y0, x1, y1))
        finally:
            document.close()
        if shown is None:
            raise UnreadablePdf("it cannot be rendered, or is too large for that", source=job["source"])
        picture, rotation = shown
        return png(np.rot90(picture.pixels[:, :, 0], -(rotation // 90)))

    return read


if __name__ == "__main__":
    serve(_prepare)
