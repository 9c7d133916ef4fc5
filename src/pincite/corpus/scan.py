"""A picture of a page and an OCR engine → words in user space, and the rules that the picture shows.

The turn of the page is found by trying; a slant of the scan is taken out of the places before lines are made of them
and put back into the boxes afterwards (``Recognised.slanted``); size, weight and baseline are measured on the ink.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median, median_low
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pincite.corpus.ink import Picture
from pincite.corpus.lattice import Rules, Segment
from pincite.corpus.layout import Turn, Word, turned, unturned
from pincite.corpus.ocr import Engine, Recognised, Seen, rotated, slope_of
from pincite.types import Box

SURE = 0.93
"""Mean confidence from which the page is not read again the other way round."""
WORD_FLOOR = 0.5
"""Confidence below which what an engine says is left out and counted: specks and ornaments read as letters."""
LEAST_SLOPE = 0.006
"""Rise per length of a line up to which a scan is straight enough: 3 points across A4, less than half a line."""
MAX_SLOPE = 0.1
"""Rise per length of a line beyond which it is no slanted scan but text set at an angle."""


def read_picture(picture: Picture, engine: Engine, *, page: int, name: str, rotation: int = 0) -> Recognised:
    """Return what is printed in the picture of a page; ``rotation`` (degrees) is what the file says of its turn."""
    pixels = picture.pixels[:, :, 0]
    height, width = pixels.shape
    shown: Box = (
        picture.left,
        picture.top - height / picture.down,
        picture.left + width / picture.across,
        picture.top,
    )
    best: _Reading | None = None
    for k, turn in enumerate(likely_turns(pixels, rotation)):
        if k == 2 and best is not None and best.confidence > 0.75:
            # Lines along this axis were read after all, if badly: handwriting. The other axis will not be better.
            break
        lines = engine.lines(np.rot90(pixels, -turn))
        reading = _Reading(turn, lines)
        if best is None or reading.worth > best.worth:
            best = reading
        if reading.confidence >= SURE and reading.letters >= 10:
            break
    assert best is not None
    return _placed(best, pixels, shown, page=page, name=name)


class _Reading:
    def __init__(self, turn: Turn, lines: list[list[Seen]]) -> None:
        self.turn: Turn = turn
        kept = [[w for w in line if w.confidence >= WORD_FLOOR] for line in lines]
        self.lines = [line for line in kept if line]
        self.left_out = sum(map(len, lines)) - sum(map(len, self.lines))
        words = [w for line in self.lines for w in line]
        self.letters = sum(len(w.text) for w in words)
        self.confidence = sum(len(w.text) * w.confidence for w in words) / max(self.letters, 1)
        long = [w for w in words if len(w.text) > 3]
        if sum(w.y1 - w.y0 > w.x1 - w.x0 for w in long) * 2 > len(long):
            # Engines read upright words of a picture too, and give their boxes: the page lies on its side.
            self.confidence = 0.0
        self.worth = sum(len(w.text) * (w.confidence - WORD_FLOOR) for w in words) if self.confidence else 0.0


def likely_turns(pixels: NDArray[np.uint8], rotation: int = 0) -> tuple[Turn, ...]:
    """Return the four turns, the likeliest first: lines of text make the picture striped across them.

    ``rotation`` in degrees settles which of two opposite turns comes first.
    """
    ink = 255.0 - pixels[::2, ::2]
    across, along = _stripes(ink), _stripes(ink.T)
    said = rotation // 90 % 4
    level: tuple[Turn, Turn] = (2, 0) if said == 2 else (0, 2)
    upright: tuple[Turn, Turn] = (3, 1) if said == 3 else (1, 3)
    first, then = (level, upright) if across >= along else (upright, level)
    return (*first, *then)


def _stripes(ink: NDArray[np.floating[Any]]) -> float:
    """Return how much the ink changes from row to row; in bands, so that lines of a slanted scan do not blur."""
    bands = np.array_split(ink, 12, axis=1)
    return float(np.mean([np.var(np.diff(band.mean(axis=1))) for band in bands if band.size]))


def _placed(reading: _Reading, pixels: NDArray[np.uint8], shown: Box, *, page: int, name: str) -> Recognised:
    turn = reading.turn
    frame = turned(shown, turn)
    rows, columns = np.rot90(pixels, -turn).shape
    across, down = columns / (frame[2] - frame[0]), rows / (frame[3] - frame[1])
    centre = ((frame[0] + frame[2]) / 2, (frame[1] + frame[3]) / 2)
    # In pixels y grows downwards.
    slope = -_common_slope(reading.lines) * across / down
    if abs(slope) < LEAST_SLOPE or abs(slope) > MAX_SLOPE:
        slope = 0.0
    words: list[Word] = []
    upright = np.rot90(pixels, -turn)
    types = [_type_of(line, upright) for line in reading.lines]
    sizes = _even([type_.size / down for type_ in types])
    strokes = _usual_stroke(types)
    for line, type_, size in zip(reading.lines, types, sizes, strict=True):
        bold = type_.stroke > BOLD * strokes
        for w in _apart(line, 0.2 * size * across):
            x, y = frame[0] + (w.x0 + w.x1) / 2 / across, frame[3] - (w.y0 + w.y1) / 2 / down
            x, y = rotated(x, y, centre, -slope)
            half, high = (w.x1 - w.x0) / 2 / across, (w.y1 - w.y0) / 2 / down
            box = unturned((x - half, y - high, x + half, y + high), turn)
            words.append(Word(w.text, *box, y - type_.drop / down, size, bold))
    rules = rules_in(pixels, shown)
    return Recognised(
        page,
        name,
        round(reading.confidence, 4),
        turn,
        slope,
        centre,
        tuple(words),
        rules.across,
        rules.down,
        reading.left_out,
    )


def _apart(line: Sequence[Seen], gap: float) -> Iterator[Seen]:
    """Yield the words of a line with at least ``gap`` pixels between two: what an engine parts stays apart."""
    ordered = sorted(line, key=lambda w: w.x0)
    for k, word in enumerate(ordered):
        x0, x1 = word.x0, word.x1
        if k and (short := gap - (x0 - ordered[k - 1].x1)) > 0:
            x0 += short / 2
        if k + 1 < len(ordered) and (short := gap - (ordered[k + 1].x0 - x1)) > 0:
            x1 -= short / 2
        yield word._replace(x0=x0, x1=max(x1, x0 + 1.0))


class _Type(NamedTuple):
    """How a line is set, in pixels."""

    size: float
    drop: float
    """From the middle of a word's box down to the baseline."""
    stroke: float
    """Mean thickness of a stroke by type size; 0 when nothing could be measured."""


X_HEIGHT, CAP_HEIGHT = 0.5, 0.72
"""Of the type size, the height of small letters and of capitals and digits in the usual faces."""
BOLD = 1.28
"""Times the usual stroke from which a line is bold. Helvetica's and Times' bold have 1.5 and more."""


def _type_of(line: Sequence[Seen], pixels: NDArray[np.uint8]) -> _Type:
    """Return how a line is set, measured on its ink: an engine's box is as high as the letters that it holds."""
    measured = [m for w in line if (m := _measured(w, pixels))]
    if not measured:
        height = median(w.y1 - w.y0 for w in line)
        return _Type(0.8 * height, 0.28 * height, 0.0)
    return _Type(*(median(m[k] for m in measured) for k in range(3)))


def _measured(word: Seen, pixels: NDArray[np.uint8]) -> _Type | None:
    x0, y0, x1, y1 = (max(int(v), 0) for v in (word.x0, word.y0, word.x1 + 1, word.y1 + 1))
    part = pixels[y0:y1, x0:x1]
    if part.shape[0] < 6 or part.shape[1] < 6 or sum(map(str.isalnum, word.text)) < 2:
        return None
    lightest, darkest = int(part.max()), int(part.min())
    if lightest - darkest < 60:
        return None
    ink = part < (lightest + darkest) / 2
    if float(ink.mean()) > 0.5:
        ink = ~ink  # light letters on a dark ground
    profile = ink.sum(axis=1)
    full = np.flatnonzero(profile >= 0.4 * profile.max())
    band = float(full[-1] - full[0] + 1)
    small = sum(map(str.islower, word.text)) * 2 > len(word.text)
    size = band / (X_HEIGHT if small else CAP_HEIGHT)
    runs = int(np.count_nonzero(np.diff(ink[full[0] : full[-1] + 1].astype(np.int8), axis=1, prepend=0) == 1))
    stroke = float(ink[full[0] : full[-1] + 1].sum()) / max(runs, 1) / size
    return _Type(size, y0 + float(full[-1]) + 1 - (word.y0 + word.y1) / 2, stroke)


def _usual_stroke(types: Sequence[_Type]) -> float:
    strokes = [type_.stroke for type_ in types if type_.stroke]
    return median_low(strokes) if strokes else 1.0


def _common_slope(lines: Sequence[Sequence[Seen]]) -> float:
    """Return the middling slope of the longer lines, those of three words and half the longest's length; 0 without."""
    longest = max((line[-1].x1 - line[0].x0 for line in lines), default=0.0)
    slopes = [slope_of(line) for line in lines if len(line) >= 3 and line[-1].x1 - line[0].x0 >= longest / 2]
    return median(slopes) if slopes else 0.0


def _even(sizes: Sequence[float]) -> list[float]:
    """Return type sizes in points with what differs by chance made one size.

    Headings are told by size, so lines within an eighth of the middling line are of its size, and others are rounded to
    half a point.
    """
    if not sizes:
        return []
    usual = median(sizes)
    return [round(2 * (usual if 0.88 * usual <= one <= 1.125 * usual else one)) / 2 for one in sizes]


# ---------------------------------------------------------------- rules in a picture

RULE_PT = 36.0
"""Shortest rule that is looked for; strokes of letters and underlines of a word are shorter."""
DARK = 140
"""Grey value, of 255, up to which a pixel is ink."""


def rules_in(pixels: NDArray[np.uint8], shown: Box) -> Rules:
    """Return the horizontal and vertical rules of a grey picture that covers ``shown``, in the same space."""
    rows, columns = pixels.shape
    x_scale, y_scale = columns / (shown[2] - shown[0]), rows / (shown[3] - shown[1])
    dark = pixels <= DARK
    across = [
        (shown[3] - position / y_scale, shown[0] + a / x_scale, shown[0] + b / x_scale)
        for position, a, b in _runs(dark, int(RULE_PT * x_scale), 3.0 * y_scale)
    ]
    down = [
        (shown[0] + position / x_scale, shown[3] - b / y_scale, shown[3] - a / y_scale)
        for position, a, b in _runs(dark.T, int(RULE_PT * y_scale), 3.0 * x_scale)
    ]
    return Rules(tuple(across), tuple(down))


def _runs(dark: NDArray[np.bool_], least: int, thickest: float) -> Iterator[Segment]:
    """Yield runs of ink along the rows, at least ``least`` long, rows that touch taken together if thin enough."""
    rows, columns = dark.shape
    if columns <= least:
        return
    sums = np.zeros((rows, columns + 1), dtype=np.int32)
    np.cumsum(dark, axis=1, out=sums[:, 1:])
    # A window counts when nearly all of it is ink: scans fray.
    full = sums[:, least:] - sums[:, :-least] >= 0.97 * least
    growing: list[list[int]] = []
    done: list[list[int]] = []
    for row in np.flatnonzero(full.any(axis=1)).tolist():
        done += [run for run in growing if row - run[1] > 2]
        growing = [run for run in growing if row - run[1] <= 2]
        edges = np.flatnonzero(np.diff(full[row].astype(np.int8), prepend=0, append=0))
        for a, b in zip(edges[::2].tolist(), (edges[1::2] + least - 1).tolist(), strict=True):
            for run in growing:
                if a < run[3] and b > run[2]:
                    run[1], run[2], run[3] = row, min(run[2], a), max(run[3], b)
                    break
            else:
                growing.append([row, row, a, b])
    for top, bottom, a, b in done + growing:
        if bottom - top + 1 <= thickest:
            yield ((top + bottom + 1) / 2, float(a), float(b))
