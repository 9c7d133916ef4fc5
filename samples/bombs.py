"""PDFs that exhaust a careless reader, made when a test asks for them; none is committed.

Open them only in a worker with limits on time and memory: ``python samples/bombs.py DIRECTORY [NAME ...]`` writes them,
all when none is named.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

CATALOGUE = b"<</Type/Catalog/Pages 2 0 R>>"
ONE_PAGE = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"


def document(objects: Sequence[bytes], root: int = 1) -> bytes:
    """A PDF of the numbered objects, the first of which is number 1."""
    out, offsets = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, root, start)
    return bytes(out)


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<</Length %d%s>>stream\n" % (len(data), entries) + data + b"\nendstream"


def deflated(unit: bytes, times: int) -> bytes:
    """The unit so many times over, deflated piece by piece: the whole is never in memory."""
    packer = zlib.compressobj(9)
    return b"".join(packer.compress(unit) for _ in range(times)) + packer.flush()


def page(content: bytes, filters: bytes = b"/FlateDecode", resources: bytes = b"") -> list[bytes]:
    return [
        CATALOGUE,
        ONE_PAGE,
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>%s>>>>"
        % resources,
        stream(content, b"/Filter %s" % filters),
        FONT,
    ]


def flate_twice() -> bytes:
    """A content stream of a gigabyte, packed twice into a few kilobytes."""
    return document(page(zlib.compress(deflated(b"\0" * 1_000_000, 1000), 9), b"[/FlateDecode/FlateDecode]"))


def form_exponential() -> bytes:
    """Twelve forms, each of which draws the next one ten times."""
    depth, first = 12, 6
    forms = []
    for n in range(depth):
        inner = b"BT /F1 6 Tf 10 10 Td (x) Tj ET" if n == depth - 1 else b"/X Do " * 10
        below = b"" if n == depth - 1 else b"/XObject<</X %d 0 R>>" % (first + n + 1)
        entries = b"/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>%s>>" % below
        forms.append(stream(inner, entries))
    start = zlib.compress(b"/X Do " * 10)
    return document([*page(start, resources=b"/XObject<</X %d 0 R>>" % first), *forms])


def pages_lie() -> bytes:
    """A page tree that claims a thousand million pages and has none."""
    return document([CATALOGUE, b"<</Type/Pages/Kids[]/Count 1000000000>>"])


def pages_cycle() -> bytes:
    """A page tree that is its own child."""
    return document([CATALOGUE, b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 1000000>>"])


def million_pages() -> bytes:
    """One page that is listed a million times."""
    kids = b"3 0 R " * 1_000_000
    blank = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"
    return document([CATALOGUE, b"<</Type/Pages/Kids[" + kids + b"]/Count 1000000>>", blank])


def image() -> bytes:
    """A page with a black-and-white picture of 60000 by 60000 points."""
    picture = deflated(b"\0" * 7500, 60_000)
    size = b"/Width 60000/Height 60000/ColorSpace/DeviceGray/BitsPerComponent 1"
    entries = b"/Type/XObject/Subtype/Image/Filter/FlateDecode" + size
    content = zlib.compress(b"q 595 0 0 842 0 0 cm /I Do Q")
    return document([*page(content, resources=b"/XObject<</I 6 0 R>>"), stream(picture, entries)])


def xmp() -> bytes:
    """Metadata with nested entities and an external one."""
    entities = b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 10))
    xml = (
        b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a0 "ha">'
        + entities
        + b'<!ENTITY e SYSTEM "file:///etc/hostname">]>'
        b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><x:title>&a9;&e;</x:title></x:xmpmeta>'
    )
    objects = page(zlib.compress(b"BT /F1 12 Tf 60 780 Td (One line of text.) Tj ET"))
    objects[0] = b"<</Type/Catalog/Pages 2 0 R/Metadata 6 0 R>>"
    return document([*objects, stream(xml, b"/Type/Metadata/Subtype/XML")])


def many_paths() -> bytes:
    """Two million lines on one page."""
    return document(page(deflated(b"0 0 m 100 100 l S " * 1000, 2000)))


BOMBS: dict[str, Callable[[], bytes]] = {
    "a122-flate-twice.pdf": flate_twice,
    "a123-form-exponential.pdf": form_exponential,
    "a126-pages-lie.pdf": pages_lie,
    "a126-pages-cycle.pdf": pages_cycle,
    "a127-million-pages.pdf": million_pages,
    "a128-image.pdf": image,
    "a131-xmp.pdf": xmp,
    "many-paths.pdf": many_paths,
}

if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or BOMBS:
        data = BOMBS[name]()
        (target / name).write_bytes(data)
        print(f"{len(data):>9,}  {name}")
