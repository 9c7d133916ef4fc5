"""What made a release: versions of parser, chunker, reader of references, lexicon and payload.

Another one makes another release at the next index run. A reader of another version would measure a question by other
words than the passages, or show what a parser has learned to read better: it refuses the release with a sentence.
"""

from __future__ import annotations

from pincite.corpus.library import PARSER
from pincite.corpus.references import VERSION as REFERENCES
from pincite.errors import WrongReader
from pincite.index.cutting import CHUNKER
from pincite.index.lexicon import VERSION as LEXICON
from pincite.index.store import FORMAT
from pincite.types import Release


def made_by(chunk_characters: int, average_length: float | None) -> str:
    """Return what a release records of how it was made; the two settings make another release too."""
    return f"{PARSER}+{CHUNKER}-{chunk_characters}+{REFERENCES}+{LEXICON}-{average_length or 'mean'}+{FORMAT}"


def check_readable(release: Release) -> None:
    """
    Raises:
        WrongReader: If the release was made by other versions than these.
    """
    there = release.parser.split("+")
    for number, version in enumerate((PARSER, CHUNKER, REFERENCES, LEXICON, FORMAT)):
        found = there[number] if number < len(there) else ""
        if found != version and not found.startswith(f"{version}-"):
            raise WrongReader(
                f"release {release.id} was made with {found or 'something unknown'}, this version of Pincite reads "
                f"{version}: run `pincite index` again, or install the version that it was made with"
            )
