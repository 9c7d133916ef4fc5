"""The language of a text, among those that documents come in."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

LANGUAGES = ("en", "nl", "de", "fr", "es", "it", "pt", "da", "sv", "no", "fi", "pl")

_SAMPLE = 6000
"""Characters that are looked at: more does not change the verdict."""


def load() -> None:
    """Load the model now: it unpacks itself into a temporary file, which a jailed worker may not write any more."""
    _identifier()


def detect(texts: Iterable[str]) -> str:
    """Return the ISO 639-1 code of most of the text; "en" when there are not twenty letters to judge by."""
    pieces = list(texts)
    longer = [text for text in pieces if len(text) > 30] or pieces
    step = max(len(longer) // 60, 1)
    sample = " ".join(longer[::step])[:_SAMPLE]
    if sum(c.isalpha() for c in sample) < 20:
        return "en"
    return str(_identifier().classify(sample)[0])


@cache
def _identifier() -> Any:
    # Any: py3langid has no types. Loading takes a third of a second, so only when a document has text.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    loader: Any = LanguageIdentifier
    identifier = loader.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(LANGUAGES))
    return identifier
