"""Small PDFs made for tests: real files written by reportlab, changed by pikepdf."""

import io
import zlib
from functools import cache

import pikepdf
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen import canvas


class Sheet:
    """Writes a PDF line by line from the top down, as a word processor would."""

    def __init__(self, size=A4, title=None):
        self._out = io.BytesIO()
        self.canvas = canvas.Canvas(self._out, pagesize=size, invariant=1)
        if title:
            self.canvas.setTitle(title)
        self.size = size
        self.y = size[1] - 90

    def line(self, text, *, size=10, bold=False, italic=False, colour=0, x=72, gap=0, leading=14):
        self.y -= gap
        self.at(x, self.y, text, size=size, bold=bold, italic=italic, colour=colour)
        self.y -= leading
        return self

    def at(self, x, y, text, *, size=10, bold=False, italic=False, colour=0):
        face = ("Bold" if bold else "") + ("Oblique" if italic else "")
        self.canvas.setFont(f"Helvetica-{face}" if face else "Helvetica", size)
        if colour:
            self.canvas.saveState()
            self.canvas.setFillColor(HexColor(colour))
        self.canvas.drawString(x, y, text)
        if colour:
            self.canvas.restoreState()
        return self

    def heading(self, text, *, size=14, x=72):
        return self.line(text, size=size, bold=True, x=x, gap=14, leading=22)

    def text(self, *lines):
        for one in lines:
            self.line(one)
        return self

    def page(self):
        self.canvas.showPage()
        self.y = self.size[1] - 90
        return self

    def grid(self, xs, ys, cells):
        """Rule every edge of the cells (r0, r1, c0, c1, text); xs and ys are the grid lines, ys from the top."""
        for r0, r1, c0, c1, text in cells:
            x0, x1, top, bottom = xs[c0], xs[c1 + 1], ys[r0], ys[r1 + 1]
            self.canvas.rect(x0, bottom, x1 - x0, top - bottom, stroke=1, fill=0)
            for k, one in enumerate(text.split("\n")):
                self.at(x0 + 4, (top + bottom) / 2 - 3 - 12 * k, one, size=9)
        self.y = ys[-1] - 20
        return self

    def bytes(self):
        self.canvas.save()
        return self._out.getvalue()


FEES = [
    (0, 0, 0, 0, "Transaction"),
    (0, 0, 1, 1, "Channel"),
    (0, 0, 2, 3, "Fee in %"),
    (1, 2, 0, 0, "Domestic"),
    (1, 1, 1, 1, "Shop"),
    (1, 1, 2, 2, "0.20"),
    (1, 1, 3, 3, "0.25"),
    (2, 2, 1, 1, "Online"),
    (2, 2, 2, 2, "0.30"),
    (2, 2, 3, 3, "0.35"),
    (3, 3, 0, 1, "Refund"),
    (3, 3, 2, 2, "0.05"),
    (3, 3, 3, 3, "0.06"),
]
"""A fee table with a cell over two rows, one over two columns in the header and one in the body."""


def fees(sheet, top=600, left=72):
    xs = [left, left + 100, left + 180, left + 260, left + 340]
    ys = [top - 22 * k for k in range(5)]
    return sheet.grid(xs, ys, FEES)


def changed(data, change):
    """Return the PDF after ``change(pdf)``."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        change(pdf)
        out = io.BytesIO()
        pdf.save(out)
    return out.getvalue()


def encrypted(data, password):
    with pikepdf.open(io.BytesIO(data)) as pdf:
        out = io.BytesIO()
        pdf.save(out, encryption=pikepdf.Encryption(owner=password, user=password))
    return out.getvalue()


def crafted(objects, root=1):
    """Return a PDF of these objects as written, with a true cross-reference table."""
    out = b"%PDF-1.7\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return out + b"trailer<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, root, start)


def crafted_page(stream, filters=b"/FlateDecode", box=b"[0 0 595 842]"):
    return crafted(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox" + box + b"/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
            b"<</Length %d/Filter %s>>stream\n" % (len(stream), filters) + stream + b"\nendstream",
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        ]
    )


def _packed(data):
    return zlib.compress(data, 6)


BOMBS = {
    "flate-twice": lambda: crafted_page(_packed(_packed(b"\0" * 400_000_000)), filters=b"[/FlateDecode/FlateDecode]"),
    "text-1m": lambda: crafted_page(_packed(b"BT /F1 1 Tf 10 10 Td " + b"(abcdefghij) Tj " * 100_000 + b" ET")),
    "paths-500k": lambda: crafted_page(_packed(b"0 0 m 100 100 l S " * 500_000)),
    "deep-array": lambda: crafted_page(_packed(b"[ " * 500_000)),
    "huge-box": lambda: crafted_page(_packed(b"BT /F1 12 Tf 10 10 Td (hi) Tj ET"), box=b"[0 0 1e9 1e9]"),
    "pages-cycle": lambda: crafted(
        [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 1000000>>"]
    ),
    "count-lies": lambda: crafted([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[]/Count 1000000000>>"]),
    "same-page-1m": lambda: crafted(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[" + b"3 0 R " * 1_000_000 + b"]/Count 1000000>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
        ]
    ),
    "same-page-18k": lambda: crafted(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[" + b"3 0 R " * 18_000 + b"]/Count 18000>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
        ]
    ),
}
"""Files that exhaust a reader, made when asked for; open them only in a jailed worker."""


@cache
def bomb(kind):
    return BOMBS[kind]()
