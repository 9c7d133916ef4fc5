"""Characters of a PDFium text page → words with boxes, size and weight, in user space.

A page holds thousands of characters and PDFium gives the box of one at a time. The calls are made from C (``map`` over
pointers that exist already) and everything after them is done on arrays.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import pypdfium2.raw as raw
from numpy.typing import NDArray

from pincite.corpus.ink import Letters, Shapes, letters_in
from pincite.corpus.layout import Word, words_made
from pincite.corpus.raised import LOWERED_EM, RAISED_EM, SMALLER, marks_beside, with_heights

_BOLD = re.compile(r"bold|black|heavy|semibd|demi(?!\w*light)", re.IGNORECASE)
_ITALIC = re.compile(r"ital|obli|kursiv|slant|(?<![a-z])cm(ti|sl|bxti)\d", re.IGNORECASE)
_IS_ITALIC, _FORCE_BOLD = 1 << 6, 1 << 18
"""Bits of a font descriptor's flags, ISO 32000-1 table 123."""
REACH = 0.6
"""Of the type size. A character further than this from its word begins another, blank or not."""

BESIDE = 0.3
"""Of the lower of two characters' heights: the widest gap at which one goes on from the other over a line break."""

_HANGS: NDArray[np.bool_] = np.isin(np.arange(0x80), [ord(sign) for sign in "()[]{}/,;|_Qgjpqy"])
"""Of each ASCII character: whether it reaches below the line by nature."""


_ALPHANUMERIC: NDArray[np.bool_] = np.fromiter(map(str.isalnum, map(chr, range(0x3000))), dtype=np.bool_)
"""Of each character before the ideographs: whether it is a letter or a digit."""


class Found(NamedTuple):
    """The words of a text page and what can be asked of them; arrays of one length."""

    words: list[Word]
    """In user space, each with its own turn; ``baseline`` is measured across it."""
    shapes: Shapes
    letters: Letters
    first: NDArray[np.int64]
    """Place of each word's first character in the text page."""
    last: NDArray[np.int64]
    invisible: NDArray[np.bool_]
    """Whether the file says that it is not to be painted (render mode 3): the text layer of a scan, or a plant."""


class Handle(ctypes.c_void_p):
    """A thing of PDFium's as ``called`` functions return and take it. A plain int would be cut to 32 bits."""


def called(function: Any, result: Any) -> Callable[..., Any]:
    """Return a PDFium function that converts no argument and keeps the interpreter's lock: a quarter of the time.

    Arguments are then passed as they are: handles as ``c_void_p``, indices as int, pointers by ``byref``.
    """
    # Any: ctypes has no types for these.
    prototype: Any = ctypes.PYFUNCTYPE(result)
    cheap = prototype(ctypes.cast(function, ctypes.c_void_p).value)
    cheap.argtypes = None
    return cheap


_text_of = called(raw.FPDFText_GetText, ctypes.c_int)
_unicode_of = called(raw.FPDFText_GetUnicode, ctypes.c_uint)
_box_of = called(raw.FPDFText_GetCharBox, ctypes.c_int)
_matrix_of = called(raw.FPDFText_GetMatrix, ctypes.c_int)
_size_of = called(raw.FPDFText_GetFontSize, ctypes.c_double)
_object_of = called(raw.FPDFText_GetTextObject, ctypes.c_size_t)
_font_of = called(raw.FPDFText_GetFontInfo, ctypes.c_ulong)
_colour_of = called(raw.FPDFText_GetFillColor, ctypes.c_int)
_mode_of = called(raw.FPDFTextObj_GetTextRenderMode, ctypes.c_int)

_BATCH = 2048
_boxes = (ctypes.c_double * (4 * _BATCH))()
_box_values: NDArray[np.float64] = np.frombuffer(memoryview(_boxes).cast("B"), dtype=np.float64).reshape(-1, 4)
_at = tuple([ctypes.byref(_boxes, 32 * k + 8 * side) for k in range(_BATCH)] for side in range(4))
_matrices = (ctypes.c_float * (6 * _BATCH))()
_matrix_values: NDArray[np.float32] = np.frombuffer(memoryview(_matrices).cast("B"), dtype=np.float32).reshape(-1, 6)
_at_matrix = [ctypes.byref(_matrices, 24 * k) for k in range(_BATCH)]


def found_words(text: Any, characters: range, unseen: Collection[int] = ()) -> Found | None:
    """Return the words among these characters of a text page; an unseen one parts a word like a blank.

    None when no character is printed.
    """
    # Any: a PDFium handle.
    handle = ctypes.cast(text, ctypes.c_void_p)
    codes = _codes(handle, characters)
    if unseen:
        codes[[k - characters.start for k in unseen]] = 32
    blank = ((codes <= 32) & (codes != 2) & (codes != 0)) | (codes == 0xA0)
    codes[codes == 0] = 0xFFFD
    # PDFium's marks for a hyphen at the end of a line. It is printed, so it is kept.
    codes[(codes == 2) | (codes == 0xFFFE)] = 0x2D
    printed = ~blank
    if ((codes >= 0xD800) & (codes <= 0xDFFF)).any():
        printed &= _pair_surrogates(codes, blank)
    index = np.flatnonzero(printed)
    boxes, known = _character_boxes(handle, (index + characters.start).tolist())
    if not known.all():
        index, boxes = index[known], boxes[known]
    if not len(index):
        return None
    blanks, spaces = np.cumsum(blank)[index], np.cumsum(blank & (codes != 13) & (codes != 10))[index]
    broken = (blanks[1:] != blanks[:-1]) & (spaces[1:] == spaces[:-1])
    parted = np.concatenate(([True], (blanks[1:] != blanks[:-1]) & ~(broken & _goes_on(boxes))))
    return _assembled(handle, codes[index], index + characters.start, boxes, parted)


def _goes_on(boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return of each character but the first whether it stands close behind the last, at its height.

    PDFium writes a line break before the stroke of a fraction and other signs that change the height: none is printed.
    """
    left, right, bottom, top = boxes.T
    height = np.minimum((top - bottom)[1:], (top - bottom)[:-1])
    shared = np.minimum(top[1:], top[:-1]) - np.maximum(bottom[1:], bottom[:-1])
    gap = left[1:] - right[:-1]
    return (shared >= 0.5 * height) & (height > 0) & (gap >= -0.3 * height) & (gap <= BESIDE * height)


def _codes(handle: ctypes.c_void_p, characters: range) -> NDArray[np.int64]:
    """Return the Unicode of each character; 0 where PDFium knows none. Surrogates are characters of their own."""
    count = len(characters)
    buffer = np.empty(count + 1, dtype=np.uint16)
    written: int = _text_of(handle, characters.start, count, ctypes.c_void_p(buffer.ctypes.data))
    if written == count + 1:
        codes = buffer[:count].astype(np.int64)
        if not ((codes >= 0xD800) & (codes <= 0xDFFF)).any() and codes.all():
            return codes
    # The text leaves some characters out, so places in it are not indices: ask for each.
    return np.fromiter(map(_unicode_of, repeat(handle), characters), dtype=np.int64, count=count)


def _pair_surrogates(codes: NDArray[np.int64], blank: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Put the character of each pair in the place of its second half; False marks first halves, which print nothing."""
    keep = np.ones(len(codes), dtype=np.bool_)
    high = 0
    for k in np.flatnonzero((codes >= 0xD800) & (codes <= 0xDFFF) & ~blank).tolist():
        code = int(codes[k])
        if code < 0xDC00:
            high, keep[k] = code, False
        else:
            codes[k] = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00) if high else 0xFFFD
            high = 0
    return keep


def _character_boxes(handle: ctypes.c_void_p, index: Sequence[int]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return (left, right, bottom, top) of each character, shape (n, 4), and which of them PDFium has a box for."""
    out = np.empty((len(index), 4))
    known = bytearray()
    for start in range(0, len(index), _BATCH):
        some = index[start : start + _BATCH]
        known += bytes(map(_box_of, repeat(handle), some, *_at))
        out[start : start + len(some)] = _box_values[: len(some)]
    return out, np.frombuffer(bytes(known), dtype=np.bool_)


class _Type(NamedTuple):
    """How the characters at some places are set; arrays of one length."""

    size: NDArray[np.float64]
    """In points on the page."""
    turn: NDArray[np.int64]
    baseline: NDArray[np.float64]
    """Across the direction of writing."""
    bold: NDArray[np.bool_]
    italic: NDArray[np.bool_]
    colour: NDArray[np.int64]
    """0xRRGGBB of the fill; 0 where PDFium knows none."""
    invisible: NDArray[np.bool_]

    def at(self, places: NDArray[np.int64] | slice) -> _Type:
        return _Type._make(part[places] for part in self)


def _type_of(handle: ctypes.c_void_p, index: NDArray[np.int64], boxes: NDArray[np.float64]) -> _Type:
    """Return how characters are set. Each text object is asked once: most hold a line, set alike throughout."""
    things = np.fromiter(map(_object_of, repeat(handle), index.tolist()), dtype=np.uint64, count=len(index))
    # What belongs to no object is asked itself.
    begins = np.concatenate(([True], (things[1:] != things[:-1]) | (things[1:] == 0)))
    places = np.flatnonzero(begins)
    asked: list[int] = index[places].tolist()
    m = np.zeros((len(asked), 6))
    for start in range(0, len(asked), _BATCH):
        some = asked[start : start + _BATCH]
        known = bytes(map(_matrix_of, repeat(handle), some, _at_matrix))
        m[start : start + len(some)] = np.where(
            np.frombuffer(known, dtype=np.bool_)[:, None], _matrix_values[: len(some)], (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
        )
    a, b, c, d, e, f = m.T
    scale = np.hypot(c, d)
    scale = np.where(scale == 0, np.hypot(a, b), scale)
    size = np.fromiter(map(_size_of, repeat(handle), asked), dtype=np.float64, count=len(asked)) * scale
    along = np.abs(a) >= np.abs(b)
    turn = np.where(along, np.where(a >= 0, 0, 2), np.where(b > 0, 1, 3))
    baseline = np.choose(turn, (f, -e, -f, e))
    looks = np.array(_looks(handle, asked, things[places].tolist()), dtype=np.int64).T
    each = _Type(size, turn, baseline, looks[0] > 0, looks[1] > 0, looks[2], looks[3] > 0).at(np.cumsum(begins) - 1)
    return each._replace(size=np.where(each.size == 0, boxes[:, 3] - boxes[:, 2], each.size))


def _assembled(
    handle: ctypes.c_void_p,
    codes: NDArray[np.int64],
    index: NDArray[np.int64],
    boxes: NDArray[np.float64],
    parted: NDArray[np.bool_],
) -> Found:
    """Return the words of printed characters, one at least; ``parted`` marks those that follow a blank."""
    starts = np.flatnonzero(parted)
    kind = _type_of(handle, index[starts], boxes[starts])
    more = _leaps(handle, index, boxes, starts, kind)
    if more:
        starts = np.union1d(starts, more)
        kind = _type_of(handle, index[starts], boxes[starts])
    ends = np.append(starts[1:], len(index))
    left, right, bottom, top = boxes.T
    x0, x1 = np.minimum.reduceat(left, starts), np.maximum.reduceat(right, starts)
    y0, y1 = np.minimum.reduceat(bottom, starts), np.maximum.reduceat(top, starts)
    text = codes.astype("<u4").tobytes().decode("utf-32-le", "replace")
    spans = zip(starts.tolist(), ends.tolist(), strict=True)
    columns = (x0, y0, x1, y1, kind.baseline, kind.size, kind.bold, kind.turn, kind.italic, kind.colour)
    fields = zip([text[a:b] for a, b in spans], *(column.tolist() for column in columns), strict=True)
    words = words_made(fields)
    alphanumeric = np.add.reduceat(_ALPHANUMERIC[np.minimum(codes, len(_ALPHANUMERIC) - 1)], starts, dtype=np.int64)
    sizes = kind.size.copy()
    counted = np.maximum.reduceat(codes, starts) >= len(_ALPHANUMERIC)
    for k, word in _with_heights(handle, words, kind, codes, index, boxes, starts):
        words[k], sizes[k], counted[k] = word, word.size, True
    for k, word in marks_beside(words):
        words[k], counted[k] = word, True
    lengths = ends - starts
    for k in np.flatnonzero(counted).tolist():
        lengths[k], alphanumeric[k] = len(words[k].text), letters_in(words[k].text)
    shapes = Shapes(np.stack((x0, y0, x1, y1), axis=1), sizes, lengths, alphanumeric, kind.turn % 2 == 1)
    return Found(words, shapes, Letters(boxes, ends), index[starts], index[ends - 1], kind.invisible)


def _with_heights(
    handle: ctypes.c_void_p,
    words: Sequence[Word],
    kind: _Type,
    codes: NDArray[np.int64],
    index: NDArray[np.int64],
    boxes: NDArray[np.float64],
    starts: NDArray[np.int64],
) -> Iterator[tuple[int, Word]]:
    """Yield the words, by place, that hold a raised or lowered digit, as they read with it."""
    lengths = np.diff(np.append(starts, len(index)))
    word_of = np.repeat(np.arange(len(starts)), lengths)
    left, right, bottom, top = boxes.T
    turn, baseline, em = kind.turn[word_of], kind.baseline[word_of], np.maximum(kind.size, 0.01)[word_of]
    feet = np.choose(turn, (bottom, -right, -top, left)) - baseline
    heads = np.choose(turn, (top, -left, -bottom, right)) - baseline
    off = (feet > RAISED_EM * em) | (feet < -LOWERED_EM * em)
    # Only few words come through. A comma or bracket beside a digit hangs: that says nothing.
    digits = np.zeros(len(starts), dtype=np.bool_)
    digits[word_of[(codes >= 0x30) & (codes <= 0x39)]] = True
    off &= ~_HANGS[np.minimum(codes, 0x7F)]
    chosen = np.zeros(len(starts), dtype=np.bool_)
    chosen[word_of[off & digits[word_of]]] = True
    if not chosen.any():
        return
    asked = np.flatnonzero(chosen[word_of])
    set_as, done = _type_of(handle, index[asked], boxes[asked]), 0
    for k in np.flatnonzero(chosen).tolist():
        word, places = words[k], slice(int(starts[k]), int(starts[k] + lengths[k]))
        some = set_as.at(slice(done, done + int(lengths[k])))
        done += int(lengths[k])
        # A mark may stand first: the larger type carries the word.
        main = int(np.argmax(some.size > max(float(some.size.max()) * SMALLER, 0.01)))
        size, base = float(some.size[main]), float(some.baseline[main])
        if size <= 0 or len(word.text) != lengths[k]:
            continue
        shift = float(kind.baseline[k]) - base
        said = with_heights(
            word.text,
            ((feet[places] + shift) / size).tolist(),
            ((heads[places] + shift) / size).tolist(),
            (some.size < SMALLER * size).tolist(),
        )
        if said != word.text:
            look = {"bold": bool(some.bold[main]), "italic": bool(some.italic[main]), "colour": int(some.colour[main])}
            yield k, word._replace(text=said, baseline=base, size=size, **look)


def _leaps(
    handle: ctypes.c_void_p,
    index: NDArray[np.int64],
    boxes: NDArray[np.float64],
    starts: NDArray[np.int64],
    kind: _Type,
) -> list[int]:
    """Return where a character stands so far from its word that it begins another."""
    lengths = np.diff(np.append(starts, len(index)))
    reach = np.repeat(REACH * kind.size, lengths)[1:]
    forwards = np.repeat(kind.turn == 0, lengths)[1:]
    left, right, bottom, top = boxes.T
    # What leaps from its whole word leaps from the character before it: few words are looked at closely.
    leaps = (
        (left[1:] > right[:-1] + reach)
        | (right[1:] < left[:-1] - reach)
        | (bottom[1:] > top[:-1] + reach)
        | (top[1:] < bottom[:-1] - reach)
        | (forwards & (right[1:] < left[:-1]))
    )
    leaps[starts[1:] - 1] = False
    if not leaps.any():
        return []
    word_of = np.repeat(np.arange(len(starts)), lengths)
    chosen = np.zeros(len(starts), dtype=np.bool_)
    chosen[word_of[1:][leaps]] = True
    asked = np.flatnonzero(chosen[word_of])
    set_as = _type_of(handle, index[asked], boxes[asked])
    return list(_leaps_in(asked.tolist(), word_of[asked].tolist(), boxes[asked], set_as))


def _leaps_in(places: list[int], words: list[int], boxes: NDArray[np.float64], kind: _Type) -> Iterator[int]:
    """Yield the places where one of these characters leaps from what its word holds so far; ``words`` are theirs."""
    x0 = x1 = y0 = y1 = reach = 0.0
    forwards = False
    last = -1
    rows = zip(places, words, boxes.tolist(), kind.size.tolist(), kind.turn.tolist(), strict=True)
    for place, word, (a, c, b, d), size, turn in rows:
        leaps = word == last and (
            a > x1 + reach or c < x0 - reach or b > y1 + reach or d < y0 - reach or (forwards and c < x0)
        )
        if leaps:
            yield place
        if leaps or word != last:
            reach, forwards, last = REACH * size, turn == 0, word
            x0, x1, y0, y1 = a, c, b, d
        else:
            x0, x1, y0, y1 = min(x0, a), max(x1, c), min(y0, b), max(y1, d)


class _Look(NamedTuple):
    bold: bool
    italic: bool
    colour: int
    invisible: bool


def _looks(handle: ctypes.c_void_p, index: Sequence[int], things: Sequence[int]) -> list[_Look]:
    """Return how characters look; ``things`` are their text objects."""
    name = ctypes.create_string_buffer(256)
    flags = ctypes.c_int()
    channels = (ctypes.c_uint * 4)()
    red, green, blue, alpha = (ctypes.byref(channels, 4 * k) for k in range(4))
    fonts: dict[tuple[bytes, int], tuple[bool, bool]] = {}
    length_of_name, flags_at = ctypes.c_ulong(256), ctypes.byref(flags)
    out: list[_Look] = []
    for k, thing in zip(index, things, strict=True):
        length = _font_of(handle, k, name, length_of_name, flags_at)
        font = (name.raw[: max(min(length, 256) - 1, 0)], flags.value & (_FORCE_BOLD | _IS_ITALIC))
        if font not in fonts:
            said = font[0].decode("utf-8", "replace")
            fonts[font] = (
                bool(font[1] & _FORCE_BOLD or _BOLD.search(said)),
                bool(font[1] & _IS_ITALIC or _ITALIC.search(said)),
            )
        filled = _colour_of(handle, k, red, green, blue, alpha)
        colour = channels[0] << 16 | channels[1] << 8 | channels[2] if filled else 0
        mode = _mode_of(ctypes.c_void_p(thing)) if thing else raw.FPDF_TEXTRENDERMODE_FILL
        hidden = mode in (raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP)
        out.append(_Look(*fonts[font], colour, hidden))
    return out
