"""What a question asks: its language, terms, kind of answer and parts."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from pincite.answer.select.values import asked_kinds, asks_kind
from pincite.answer.select.words import (
    LANGUAGES,
    WEAK_WORDS,
    detect_language,
    forms,
    is_function_word,
    is_level,
    normalise,
    number_forms,
    stem,
    word_list,
    words_in,
)

TermKind: TypeAlias = Literal["word", "number", "capitals", "identifier"]

QUESTION_WORDS = word_list(
    """wat welke welk wie waar wanneer hoe hoeveel waarom what which who when where why how was welche welcher welches
    welchem welchen wo wann wieviel warum quel quelle quels quelles combien quand comment pourquoi"""
)

_NUMBER_ASKED = re.compile(
    r"\b(?:how (?:many|much|long|often|far|high|large|big|old|heavy|fast|deep|wide)|hoeveel|hoe (?:lang|vaak|"
    r"groot|hoog|oud|zwaar|snel|ver)"
    r"|wie (?:viele?|lange?|hoch|oft|gro(?:ß|ss)|alt|schwer|schnell|weit)|wieviele?|combien|wat kosten?|was "
    r"kostet|what do(?:es)? .* (?:cost|charge|earn|owe|pay)|(?:what|wat|was|welche[rs]?|quel(?:le)?s?)\b.*"
    r"\b(?:maximum|minimum|maxim\w+|minim\w+|rated|nominal\w*|typical|höchst\w*|mindest\w*))\b",
    re.IGNORECASE,
)
_YES_NO = re.compile(
    r"^\W*(?:(?:and|so|en|und|et)\s+)?(?:may|can|must|shall|should|is|are|does|do|did|will|would|has|have|mag|"
    r"mogen|moet|moeten|kan|kunnen|zijn|"
    r"heeft|wordt|worden|darf|dürfen|muss|müssen|kann|können|ist|sind|hat|wird|werden|gibt|est-ce|peut-on|"
    r"puis-je|dois-je|doit-on|faut-il|"
    r"est-il|sont-ils|peut|doit|les? \w+ (?:peut|doit)-)\b",
    re.IGNORECASE,
)
_LIST_ASKED = re.compile(
    r"\b(?:list|name (?:the|all)|enumerate|which (?:\w+ ){0,3}\w+s\b(?! (?:is|was|has)\b)|what are (?:the|all)|"
    r"what (?:\w+ ){0,2}\w+s (?:are|must|should|can|may|need)|"
    r"welke \w+(?:en|s|'s)\b|noem (?:de|alle)|wat zijn de|welche \w+(?:en|er|e|n)\b|nenne|quel(?:le)?s|citez|"
    r"énumére\w*)\b",
    re.IGNORECASE,
)
_DEFINITION = re.compile(
    r"^\W*(?:what (?:is|are|does) (?!the (?:max|min|rated|nominal))(?:an? |the )?(?P<en>[\w-]+(?: "
    r"[\w-]+){0,4}?)(?: mean| stand for)?|define .*|"
    r"(?:what is )?(?:the )?(?:definition|meaning) of .*|wat (?:is|zijn|betekent) (?:een |het |de )?[\w-]+(?: "
    r"[\w-]+){0,3}?|wat wordt verstaan onder .*|"
    r"was (?:ist|sind|bedeutet|versteht man unter) (?:ein\w* |d\w\w )?[\w-]+(?: [\w-]+){0,3}?|qu'est-ce qu.*|que "
    r"signifie .*)\W*$",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"\b(?:between (?:which|what)|ranges?|from what .* to what|tussen welke|bereik|zwischen welche\w*|bereich|"
    r"entre quel\w*|plage)\b",
    re.IGNORECASE,
)
_HEAD = re.compile(
    r"^\W*(?:\w+\s+){0,2}?(?:what|which|wat|welke?|was|welche\w*|quel\w*)\s+(?:(?:is|are|was|were|zijn|ist|sind|"
    r"est|sont)\s+)?(?P<head>(?:\S+\s+){0,4}?\S+)"
    r"(?=\s+(?:of|for|in|at|does|do|is|are|has|have|can|must|may|should|van|voor|bij|heeft|hebben|geldt|moet|mag|"
    r"kan|von|für|bei|hat|gilt|muss|darf|kann|"
    r"des|der|de|du|pour|dans|doit|peut)\b|\W*$)",
    re.IGNORECASE,
)
"""The noun that "what" or "which" asks for: "what *output voltage* does …"."""
_SPLIT = re.compile(
    r"(?:[?;]\s+|,?\s+(?:and|en|und|et)\s+(?=(?:(?:to|from|up to|in|at|on|for|with|tot|vanaf|binnen|na|voor|bis|"
    r"ab|nach|für|in|mit|à|de|pour|dans)\s+)?"
    r"(?:what|which|who|when|where|how|why|wat|welke?|wie|waar|wanneer|hoe\w*|waarom|was|welche\w*|wo|wann|warum|"
    r"quel\w*|combien|quand|comment)\b))",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks?(?: you)?|thank you very much|hallo|hoi|"
    r"goede(?:morgen|middag|navond)|dank (?:je|u)(?: wel)?|"
    r"bedankt|guten (?:tag|morgen|abend)|danke(?: schön)?|bonjour|bonsoir|salut|merci(?: beaucoup)?|bye|tot "
    r"ziens)(?:\s+(?:there|all|everyone|allemaal|zusammen|à tous))?\W*$",
    re.IGNORECASE,
)
_OUT_OF_SCOPE = re.compile(
    r"^\W*(?:please |kindly |can you |could you |kun je |kunt u |kannst du |können sie |peux-tu |pouvez-vous )*"
    r"(?:(?:write|compose|tell|sing|make up|schrijf|vertel|maak|zing|schreib\w*|erzähl\w*|dichte|écris|écrivez|"
    r"raconte\w*|compose\w*)\b.{0,30}?"
    r"\b(?:poems?|jokes?|stor(?:y|ies)|songs?|haikus?|limericks?|essays?|rhymes?|gedicht\w*|mop|grap\w*|"
    r"verhaal\w*|liedje|lied|witz\w*|geschichte\w*|"
    r"(?:python |java |sql |javascript )?(?:functions?|scripts?|programs?|code)|poèmes?|"
    r"blagues?|histoires?|chansons?)\b|(?:ignore|forget|disregard|negeer|vergeet|ignoriere|vergiss|"
    r"ignorez|oublie\w*)\b.{0,40}\b(?:instructions?|"
    r"rules|prompt|instructies|regels|anweisungen|regeln|consignes)\b)",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"\b(?:should (?:i|we)|moet(?:en)? (?:ik|we|wij)|soll(?:te|ten|en)? (?:ich|wir)|(?:dois|devrais)-je|"
    r"devons-nous)\b.{0,40}"
    r"\b(?:invest\w*|sue|investeren|beleggen|aanklagen|dagvaarden|investieren|verklagen|poursuivre|porter plainte)\b",
    re.IGNORECASE,
)
"""Advice that no document gives: whether to invest, whether to sue."""
_UNIT_CAPITALS = word_list("RPM AC DC VAC VDC USD EUR GBP CHF KW KV MW HZ BAR PSI OK FAQ ASAP PDF AND OR NOT")
"""Capitals that are units or emphasis: documents print them otherwise, so they are never critical."""


@dataclass(frozen=True, slots=True)
class Term:
    """One content word of a question."""

    text: str
    forms: frozenset[str]
    """A text holds the term when its words share one of these."""
    kind: TermKind
    weight: float
    """Before rarity: 1, less for words that rarely stand in an answer."""
    asks: bool = False
    """It asks for a kind of value ("cost", "how many *hours*"): a value of that kind stands for it."""
    borrowed: bool = False
    """From another part of the question, or from what was said before it."""

    @property
    def critical(self) -> bool:
        return self.kind != "word" and not self.borrowed

    @property
    def hard(self) -> bool:
        """Without it in any passage no answer can be right: a part number, an abbreviation."""
        return self.kind in ("capitals", "identifier") and not self.borrowed


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    language: str
    terms: tuple[Term, ...]
    kinds: frozenset[str]
    """Names of kinds of value asked for (``values.KINDS``)."""
    asks_number: bool
    needs_value: bool
    """Only a text with a value can answer: "how many …", "what pressure …"."""
    yes_no: bool
    wants_list: bool
    definition: bool
    wants_range: bool
    small_talk: Literal["", "greeting", "out_of_scope"]
    parts: tuple[Question, ...] = ()
    """Two or more questions in one, each with the terms it shares with the first at half weight; empty for one."""

    @property
    def hard_terms(self) -> tuple[Term, ...]:
        return tuple(term for term in self.terms if term.hard)


def _kind_of(word: str, *, shouted: bool) -> TermKind:
    digits = any(c.isdigit() for c in word)
    letters = any(c.isalpha() for c in word)
    if digits and letters:
        # "24-hour", "10th", "1990s", "500V" are numbers with a word, not names of things.
        if re.fullmatch(r"\d+(?:[.,]\d+)?-?[a-zµ°Ω]+|\d+(?:[.,]\d+)?[kMmµn]?(?:V|A|W|Hz|Pa|VDC|VAC)", word):
            return "number"
        return "identifier"
    if digits:
        return "identifier" if re.search(r"\d[-/]\d", word) else "number"
    if not shouted and len(word) >= 2 and word.isupper() and word not in _UNIT_CAPITALS:
        return "capitals"
    # "PCBs", "RSA's" are abbreviations too.
    if not shouted and re.fullmatch(r"[A-Z]{2,}s", word):
        return "capitals"
    return "word"


def _term_forms(word: str, language: str) -> frozenset[str]:
    lower = word.lower()
    if any(c.isdigit() for c in word):
        joined = re.sub(r"[-/]", "", lower)
        plain = re.fullmatch(r"(\d+(?:[.,]\d+)?)-?([a-zµ°ω]+)", lower)
        number = (
            number_forms(plain.group(1)) if plain and _kind_of(word, shouted=False) == "number" else frozenset[str]()
        )
        return frozenset({lower, joined}) | number_forms(lower) | number
    found = set(forms(word, language))
    for code in LANGUAGES:
        found.add(stem(lower, code))
    if re.fullmatch(r"[A-Z]{2,}s", word):
        found.add(lower[:-1])
    return frozenset(found)


def _terms(text: str, language: str) -> tuple[Term, ...]:
    matches = list(words_in(text))
    alphabetic = [m.group() for m in matches if m.group().isalpha() and len(m.group()) > 1]
    shouted = len(alphabetic) > 2 and sum(w.isupper() for w in alphabetic) > len(alphabetic) / 2
    terms: dict[str, Term] = {}
    for match in matches:
        word = match.group()
        kind = _kind_of(word, shouted=shouted)
        lower = word.lower()
        if len(word) == 1 and word.isupper() and is_level(text[: match.start()]):
            kind = "identifier"  # "level D", "class B"
        if kind == "word" and (is_function_word(word, language) or lower in QUESTION_WORDS or len(word) < 2):
            continue
        stripped = re.sub(r"^[ldnsjmtcq]['’]|['’]s$|['’]$", "", word) if kind == "word" else word
        if kind == "word" and is_function_word(stripped, language):
            continue
        weight = WEAK_WEIGHT if kind == "word" and (lower in WEAK_WORDS or stem(lower, language) in WEAK_WORDS) else 1.0
        terms.setdefault(
            stripped.lower(), Term(stripped, _term_forms(stripped, language), kind, weight, asks=asks_kind(stripped))
        )
    return tuple(terms.values())


WEAK_WEIGHT = 0.35
"""Weight of words like "value" or "document"; from the sketch (notes-gate.md), not refitted."""

SHARED_WEIGHT = 0.5
"""Weight of terms from elsewhere in the message: "and what holds for aldrin" is still about drinking water."""


def _single(text: str, language: str) -> Question:
    small: Literal["", "greeting", "out_of_scope"] = ""
    if _GREETING.match(text):
        small = "greeting"
    elif _OUT_OF_SCOPE.match(text) or _ADVICE.search(text):
        small = "out_of_scope"
    kinds = asked_kinds(text)
    asks_number = bool(_NUMBER_ASKED.search(text))
    head = _HEAD.match(text)
    return Question(
        text=text,
        language=language,
        terms=_terms(text, language),
        kinds=kinds,
        asks_number=asks_number,
        needs_value=asks_number or bool(head and asked_kinds(head.group("head"))),
        yes_no=bool(_YES_NO.match(text)),
        wants_list=bool(_LIST_ASKED.search(text)),
        definition=bool(_DEFINITION.match(text)),
        wants_range=bool(_RANGE.search(text)),
        small_talk=small,
    )


def analyse(question: str, language: str | None = None) -> Question:
    """What the question asks, with its parts when it asks two things.

    >>> [term.text for term in analyse("What is the NPSH of the CRN 32-3 at 1450 rpm?").terms]
    ['NPSH', 'CRN', '32-3', '1450', 'rpm']
    >>> [part.text for part in analyse("Which IP class has it and up to what wind speed does it measure?").parts]
    ['Which IP class has it', 'up to what wind speed does it measure?']
    """
    text = " ".join(normalise(question).split())
    language = language or detect_language(text)
    said = re.split(r"(?<=[.!?])\s+(?=[^\W\da-z])", text)
    asked = [sentence for sentence in said if sentence.endswith("?")] or [text]
    context = _terms(" ".join(s for s in said if s not in asked), language) if asked != [text] else ()
    pieces = [piece for sentence in asked for piece in _SPLIT.split(sentence) if piece and len(piece.split()) > 1]
    parts: list[Question] = []
    shared: tuple[Term, ...] = ()
    for piece in pieces:
        part = _single(piece, language)
        lent = {
            term.text.lower(): replace(term, weight=term.weight * SHARED_WEIGHT, borrowed=True)
            for term in (*context, *shared)
        }
        own = {term.text.lower() for term in part.terms}
        parts.append(replace(part, terms=part.terms + tuple(term for name, term in lent.items() if name not in own)))
        shared = shared or part.terms
    parts = [part for part in parts if any(not term.borrowed for term in part.terms)]
    if len(parts) == 1:
        return replace(parts[0], small_talk=_single(text, language).small_talk)
    return replace(_single(text, language), parts=tuple(parts))
