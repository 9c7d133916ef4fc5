"""Which words say the same, within and across English, Dutch, German and French (docs/adr/0035).

The words stand in `senses/*.tsv`, one sense a line: "fridge, refrigerator", "koelkast", "Kühlschrank",
"réfrigérateur, frigo".
Nothing of Pincite is imported here, so every room may ask:

- `senses(word, language)`: the lines on which a word or phrase stands, as typed, or those of a compound's parts;
- `senses_in(text, language)`: the same for every word and phrase of a text, in order, longest phrases first;
- `stem(word, language)`: the one door to the stemmer, whose stems a `Sense` holds;
- `FUNCTION_WORDS`: what says nothing about a subject, and so stands on no line;
- `detect_language(text)`: the language of a text, by these.
"""

from pincite.lexicon.function_words import FUNCTION_WORDS, detect_language
from pincite.lexicon.glossary import Sense, Spotted, senses, senses_in
from pincite.lexicon.stemming import LANGUAGES, stem

__all__ = ["FUNCTION_WORDS", "LANGUAGES", "Sense", "Spotted", "detect_language", "senses", "senses_in", "stem"]
