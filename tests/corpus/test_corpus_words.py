from itertools import pairwise
from pathlib import Path

import numpy as np
import pypdfium2
import pypdfium2.raw as raw
import pytest
from corpus_pages import Sheet, changed
from hypothesis import given
from hypothesis import strategies as st

from pincite.corpus.ink import Letters, Picture, Shapes, letters_in, shown_at_once, shows_each, shows_throughout
from pincite.corpus.layout import Word
from pincite.corpus.pdfium_words import found_words

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
PDFS = sorted(SAMPLES.glob("*/*.pdf"))


def character_box(text, k):
    left, right, bottom, top = (raw.c_double() for _ in range(4))
    assert raw.FPDFText_GetCharBox(text, k, left, right, bottom, top)
    return left.value, bottom.value, right.value, top.value


def words_of(data, index=0):
    with pypdfium2.PdfDocument(data) as document:
        text = document[index].get_textpage()
        found = found_words(text.raw, range(text.count_chars()))
        return found.words if found else []


@pytest.mark.parametrize("path", PDFS, ids=lambda path: path.name)
def test_words_are_the_characters_that_pdfium_has_with_their_boxes(path):
    with pypdfium2.PdfDocument(path) as document:
        for page in [document[index] for index in range(min(len(document), 3))]:
            text = page.get_textpage()
            codes = [raw.FPDFText_GetUnicode(text.raw, k) for k in range(text.count_chars())]

            found = found_words(text.raw, range(len(codes)))

            printed = [chr({2: 45, 0xFFFE: 45, 0: 0xFFFD}.get(c, c)) for c in codes if c in (0, 2) or c > 32]
            assert "".join(word.text for word in (found.words if found else ())) == "".join(printed).replace("\xa0", "")
            for word, first, last in zip(found.words, found.first, found.last, strict=True) if found else ():
                boxes = [character_box(text.raw, k) for k in range(first, last + 1)]
                ends = zip(*boxes, strict=True)
                assert word[1:5] == tuple(f(end) for f, end in zip((min, min, max, max), ends, strict=True))


def copied_as(data, **texts):
    """Change what letters of the first font copy as; they look as before."""

    def change(pdf):
        lines = [f"<{ord(letter):02X}> <{text.encode('utf-16-be').hex()}>" for letter, text in texts.items()]
        font = next(iter(pdf.pages[0].Resources.Font.values()))
        font.ToUnicode = pdf.make_stream(
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def "
            f"1 begincodespacerange <00> <FF> endcodespacerange {len(lines)} beginbfchar {' '.join(lines)} endbfchar "
            "endcmap end end".encode()
        )

    return changed(data, change)


def test_a_character_beyond_the_first_plane_is_one_character():
    data = copied_as(Sheet().line("xAy z").bytes(), x="x", y="y", z="z", A="𝐀")

    assert [w.text for w in words_of(data)] == ["x𝐀y", "z"]


def shapes_of(words, upright):
    return Shapes(
        np.array([word[1:5] for word in words]).reshape(-1, 4),
        np.array([word.size for word in words]),
        np.array([len(word.text) for word in words], dtype=np.int64),
        np.array([letters_in(word.text) for word in words], dtype=np.int64),
        np.array(upright, dtype=np.bool_),
    )


def letters_of(words, upright):
    """Return the words cut into letters of one length."""
    boxes = []
    for word, up in zip(words, upright, strict=True):
        ends = np.linspace(*((word.y0, word.y1) if up else (word.x0, word.x1)), len(word.text) + 1)
        for a, b in pairwise(ends):
            boxes.append((word.x0, word.x1, a, b) if up else (a, b, word.y0, word.y1))
    lengths = [len(word.text) for word in words]
    return Letters(np.array(boxes).reshape(-1, 4), np.cumsum(np.array(lengths, dtype=np.int64)))


letters = st.text("abcXYZ019-.", min_size=1, max_size=12)
shades = st.sampled_from([0, 120, 180, 191, 200, 223, 224, 250, 255])


@given(
    st.lists(
        st.tuples(letters, st.floats(-20, 110), st.floats(-20, 70), st.floats(0, 90), st.floats(0, 60), st.booleans()),
        max_size=8,
    ),
    st.lists(shades, min_size=2, max_size=4),
    st.integers(0, 1 << 30),
    st.floats(0.4, 3),
)
def test_what_is_told_of_all_words_at_once_is_told_of_each_too(boxes, paints, seed, scale):
    random = np.random.default_rng(seed)
    # Blots and bare stretches of a few shades: noise alone would show everywhere.
    blots = random.choice(np.array(paints, dtype=np.uint8), (15, 25)).repeat(5, axis=0).repeat(7, axis=1)
    picture = Picture(blots[:, :, None], 3.0, 60.0, scale, scale)
    words = [Word(text, x, y, x + w, y + h, y, 10, False) for text, x, y, w, h, _ in boxes]
    letters = letters_of(words, [up for *_, up in boxes])

    surely = shown_at_once(shapes_of(words, [up for *_, up in boxes]), letters, picture)

    for k, (seen, word, (*_, up)) in enumerate(zip(surely.tolist(), words, boxes, strict=True)):
        exact = shows_throughout(word, picture, upright=up) or shows_each(letters.of(k), word, picture, upright=up)
        assert exact or not seen
        if set(paints) <= {0, 255}:
            assert seen == exact or len(word.text) == 1
