"""OCR engines: rapidocr where it is installed, else tesseract. Which there is, and what each says of a picture.

Load one only in a worker of its own (``ocr_worker``): it takes a GiB. ``scan`` makes words in user space of it.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import math
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pincite.corpus.lattice import Segment
from pincite.corpus.layout import Turn, Word, turned, unturned
from pincite.types import Box

EngineChoice: TypeAlias = Literal["auto", "rapidocr", "tesseract", "off"]

DOUBTFUL = 0.9
"""Mean confidence of a page below which its text is doubtful. Printed pages, clean or degraded, reach .97 and more with
rapidocr and .93 with tesseract; handwriting, which comes out half wrong, .84 to .87."""
LANGUAGES = ("eng", "nld", "deu", "fra")
"""Of tesseract's language files, those that are used where they are installed; rapidocr's model reads all of them."""

HOW_TO_INSTALL = "install `pincite[ocr]` or tesseract to read them"


class Seen(NamedTuple):
    """A word in a picture: pixels from the upper left corner, y downwards; confidence 0 to 1."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float


class Engine(Protocol):
    """One OCR engine, loaded."""

    def lines(self, pixels: NDArray[np.uint8]) -> list[list[Seen]]:
        """Return the words of a grey picture, shape (rows, columns), as lines; nothing is sorted."""
        ...


@dataclass(frozen=True, slots=True)
class Available:
    """An engine that is installed."""

    name: Literal["rapidocr", "tesseract"]
    version: str
    languages: tuple[str, ...] = ()
    """tesseract's language files that will be used."""

    @property
    def dpi(self) -> int:
        """Resolution at which a page is rendered for it."""
        return 200 if self.name == "rapidocr" else 300

    @property
    def id(self) -> str:
        """What a page says it was read by, and a cache's key."""
        return " ".join((self.name, self.version, "+".join(self.languages))).strip()


@dataclass(frozen=True, slots=True)
class Recognised:
    """What an engine read on one page; boxes in user space, as if the scan stood straight."""

    page: int
    engine: str
    """``Available.id``."""
    confidence: float = 0.0
    """Mean of the words, by characters, 0 to 1."""
    turn: Turn = 0
    slope: float = 0.0
    """Rise per length of the lines, in the frame of ``turn``: what ``slanted`` puts back."""
    centre: tuple[float, float] = (0.0, 0.0)
    """Of the picture in that frame."""
    words: tuple[Word, ...] = ()
    """Boxes in user space; ``baseline`` in the frame of ``turn``."""
    across: tuple[Segment, ...] = ()
    down: tuple[Segment, ...] = ()
    """Rules seen in the picture, in user space."""
    left_out: int = 0
    """Words below ``WORD_FLOOR``."""
    failure: str = ""
    """Why the page could not be read; "" when it was."""

    def slanted(self, box: Box) -> Box:
        """Return where a box that was made of the straightened words stands on the sheet."""
        if not self.slope:
            return box
        x0, y0, x1, y1 = turned(box, self.turn)
        x, y = rotated((x0 + x1) / 2, (y0 + y1) / 2, self.centre, self.slope)
        w, h = (x1 - x0) / 2, (y1 - y0) / 2
        return unturned((x - w, y - h, x + w, y + h), self.turn)


# ---------------------------------------------------------------- which engine


@cache
def find_engine(choice: EngineChoice = "auto") -> Available | None:
    """Return the engine to use, rapidocr before tesseract; None when what was chosen is not installed."""
    if choice in ("auto", "rapidocr") and (found := _rapidocr()):
        return found
    if choice in ("auto", "tesseract") and (found := _tesseract()):
        return found
    return None


def _rapidocr() -> Available | None:
    if importlib.util.find_spec("rapidocr") is None or importlib.util.find_spec("cv2") is None:
        return None
    return Available("rapidocr", importlib.metadata.version("rapidocr"))


def _tesseract() -> Available | None:
    program = shutil.which("tesseract")
    if program is None:
        return None
    try:
        version = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=20)
        listed = subprocess.run([program, "--list-langs"], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    said = (version.stdout or version.stderr).split()
    languages = tuple(one for one in LANGUAGES if one in listed.stdout.split())
    if version.returncode or len(said) < 2 or not languages:
        return None
    return Available("tesseract", said[1], languages)


def missing_languages(found: Available) -> tuple[str, ...]:
    """Return the language files that tesseract lacks here; rapidocr has all of ``LANGUAGES`` in one model."""
    return () if found.name == "rapidocr" else tuple(one for one in LANGUAGES if one not in found.languages)


def load_engine(found: Available) -> Engine:
    """Return the engine, its models loaded."""
    return _Rapid() if found.name == "rapidocr" else _Tesseract(found.languages)


class _Rapid:
    def __init__(self) -> None:
        # Any: rapidocr has no types and need not be installed. Its line classifier garbles lines: off; the turn
        # of a page is found by ``scan``. The picture has the size wanted already: it may not be made smaller.
        rapid: Any = importlib.import_module("rapidocr")
        self._engine: Any = rapid.RapidOCR(
            params={
                "Global.use_cls": False,
                "Global.log_level": "critical",
                "Global.max_side_len": 6000,
                "Global.text_score": 0.0,
                "EngineConfig.onnxruntime.intra_op_num_threads": 1,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            }
        )

    def lines(self, pixels: NDArray[np.uint8]) -> list[list[Seen]]:
        # Any: rapidocr has no types.
        found: Any = self._engine(np.ascontiguousarray(pixels), return_word_box=True)
        if found.txts is None:
            return []
        words: Any = found.word_results or ()
        lines: list[list[Seen]] = []
        for k, (text, box, score) in enumerate(zip(found.txts, found.boxes, found.scores, strict=True)):
            own = words[k] if k < len(words) else ()
            line = [s for text_, sure, quad in own if (s := _seen(str(text_), quad, float(sure)))]
            if _letters("".join(w.text for w in line)) != _letters(str(text)):
                # The engine's words do not add up to its line: the line's own box is shared out by characters.
                line = list(_shared_out(str(text), box, float(score)))
            if line:
                lines.append(line)
        return lines


def _letters(text: str) -> str:
    return "".join(text.split())


def _seen(text: str, quad: Any, confidence: float) -> Seen | None:
    # Any: four corners from rapidocr, as lists or an array. Their bounding box is a little high on a slanted line.
    corners: NDArray[np.float64] = np.asarray(quad, dtype=float).reshape(-1, 2)
    text = _letters(text)
    if not text or len(corners) < 4:
        return None
    (a, b, c, d) = corners[:4]
    width, height = math.dist(a, b), math.dist(b, c)
    x, y = (a[0] + b[0] + c[0] + d[0]) / 4, (a[1] + b[1] + c[1] + d[1]) / 4
    return Seen(text, x - width / 2, y - height / 2, x + width / 2, y + height / 2, confidence)


def _shared_out(text: str, quad: Any, confidence: float) -> Iterator[Seen]:
    # Any: as in ``_seen``.
    whole = _seen(text, quad, confidence)
    if whole is None:
        return
    (a, b) = np.asarray(quad, dtype=float).reshape(-1, 2)[:2]
    rise = (b[1] - a[1]) / max(b[0] - a[0], 1.0)
    per_letter = (whole.x1 - whole.x0) / len(text)
    at = 0
    for word in text.split():
        at = text.index(word, at)
        x0, x1 = whole.x0 + at * per_letter, whole.x0 + (at + len(word)) * per_letter
        lift = ((x0 + x1) / 2 - (whole.x0 + whole.x1) / 2) * rise
        yield Seen(word, x0, whole.y0 + lift, x1, whole.y1 + lift, confidence)
        at += len(word)


class _Tesseract:
    def __init__(self, languages: Sequence[str]) -> None:
        self._command = ["tesseract", "stdin", "stdout", "--dpi", "300", "-l", "+".join(languages), "tsv"]

    def lines(self, pixels: NDArray[np.uint8]) -> list[list[Seen]]:
        rows, columns = pixels.shape
        picture = b"P5 %d %d 255\n" % (columns, rows) + np.ascontiguousarray(pixels).tobytes()
        environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
        done = subprocess.run(self._command, input=picture, capture_output=True, env=environment)
        if done.returncode:
            raise RuntimeError(f"tesseract: {done.stderr.decode('utf-8', 'replace').strip()[-200:]}")
        lines: dict[tuple[str, ...], list[Seen]] = {}
        for row in done.stdout.decode("utf-8", "replace").splitlines()[1:]:
            # level, page, block, paragraph, line, word, left, top, width, height, confidence (0 to 100), text
            fields = row.split("\t")
            if len(fields) < 12 or fields[0] != "5" or not fields[11].strip():
                continue
            x, y, w, h, sure = (float(f) for f in fields[6:11])
            lines.setdefault(tuple(fields[1:5]), []).append(Seen(_letters(fields[11]), x, y, x + w, y + h, sure / 100))
        # A word's own box is as high as its letters: its line's is what type size and baseline are told by.
        return [_level(line) for line in lines.values()]


def _level(line: list[Seen]) -> list[Seen]:
    """Return the words of a line with boxes of one height, moved along the line's slope."""
    if len(line) < 2:
        return line
    slope = slope_of(line)
    top = min(w.y0 - slope * (w.x0 + w.x1) / 2 for w in line)
    bottom = max(w.y1 - slope * (w.x0 + w.x1) / 2 for w in line)
    heights = sorted(w.y1 - w.y0 for w in line)
    if bottom - top > 1.8 * heights[-1]:
        return line
    return [w._replace(y0=top + slope * (w.x0 + w.x1) / 2, y1=bottom + slope * (w.x0 + w.x1) / 2) for w in line]


def slope_of(line: Sequence[Seen]) -> float:
    """Return the rise per length through the centres of a line's words, by least squares; 0 for a short line."""
    xs = [(w.x0 + w.x1) / 2 for w in line]
    ys = [(w.y0 + w.y1) / 2 for w in line]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((a - x) ** 2 for a in xs)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / spread if spread > 1 else 0.0


def rotated(x: float, y: float, centre: tuple[float, float], slope: float) -> tuple[float, float]:
    """Return a point turned about ``centre`` by the angle whose tangent is ``slope``."""
    angle = math.atan(slope)
    cos, sin = math.cos(angle), math.sin(angle)
    dx, dy = x - centre[0], y - centre[1]
    return centre[0] + cos * dx - sin * dy, centre[1] + sin * dx + cos * dy
