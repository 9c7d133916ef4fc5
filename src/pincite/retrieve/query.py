"""A question as the index takes it: pure."""

from __future__ import annotations

import re
import unicodedata

_CODE = re.compile(r"(?<!\w)(?=[\w./-]*\d)(?=[\w./-]*[^\W\d_])\w+(?:[./-]\w+)+(?!\w)")
_MAX_LEXICAL_WORDS = 64
_SPACE = re.compile(r"\s+")


def normalize(question: str) -> str:
    """Return the question in NFKC with single spaces, control characters out.

    >>> normalize("NPSH\\u00a0of  the CRN\\n32-3?")
    'NPSH of the CRN 32-3?'
    """
    text = unicodedata.normalize("NFKC", question)
    text = "".join(c if unicodedata.category(c) not in ("Cc", "Cf") else " " for c in text)
    return _SPACE.sub(" ", text).strip()


def lexical(question: str) -> str:
    """Return what the words of the question are searched by.

    A pasted e-mail has hundreds of words that drown the one code it asks about: beyond 64 words only codes
    (``TRX-0042``, ``CRN 32-3``), words with capitals inside a sentence and numbers are kept. Without any number in it
    the question is kept whole.
    """
    words = question.split()
    if len(words) <= _MAX_LEXICAL_WORDS:
        return question
    kept = [word for before, word in zip([".", *words], words, strict=False) if _is_telling(word, before)]
    return " ".join(kept) if any(c.isdigit() for word in kept for c in word) else question


def _is_telling(word: str, before: str) -> bool:
    if _CODE.search(word) or any(c.isdigit() for c in word):
        return True
    bare = word.strip(".,;:!?()\"'")
    return len(bare) > 1 and (bare.isupper() or (bare[:1].isupper() and before[-1:] not in ".!?:"))
