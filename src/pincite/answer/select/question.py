"""What a question asks: its language, terms, kind of answer and parts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from pincite.answer.select.alike import NOTHING, Alike, alike_in
from pincite.answer.select.policy import SmallTalk, is_other, small_talk
from pincite.answer.select.values import Given, asked_kinds, asks_kind, given_values, seconds_of_unit, values_of
from pincite.answer.select.words import (
    WEAK_WORDS,
    forms,
    is_function_word,
    is_level,
    normalise,
    number_forms,
    word_list,
    words_in,
)
from pincite.lexicon import LANGUAGES, detect_language, stem

TermKind: TypeAlias = Literal["word", "number", "capitals", "identifier"]

QUESTION_WORDS = word_list(
    """wat welke welk wie waar wanneer hoe hoeveel waarom what which who when where why how was welche welcher welches
    welchem welchen wo wann wieviel warum quel quelle quels quelles combien quand comment pourquoi"""
)

_NUMBER_ASKED = re.compile(
    r"\b(?:how (?:many|much|long|often|far|high|large|big|old|heavy|fast|deep|wide|thick)|hoeveel|hoe (?:lang|vaak|"
    r"groot|hoog|oud|zwaar|snel|ver|breed|diep|dik)"
    r"|wie (?:viele?n?|lange?|hoch|oft|gro(?:ß|ss)|alt|schwer|schnell|weit|breit|tief|dick)|wieviele?|combien|"
    r"wat kosten?|was "
    r"kostet|wat weegt|was wiegt|que (?:pèse|coûte)|"
    r"what do(?:es)? .* (?:cost|charge|earn|owe|pay|weigh|measure)\b|(?:what|wat|was|welche[rs]?|quel(?:le)?s?)\b.*"
    r"\b(?:maximum|minimum|maxim\w+|minim\w+|rated|nominal\w*|typical|höchst\w*|mindest\w*))\b",
    re.IGNORECASE,
)
_MEASURED = re.compile(r"\b(?:how|hoe|wie)\s([^\W\d_]+)", re.IGNORECASE)
"""The adjective of a measure: "hoe *breed*"; the text has a noun for it, or only the value."""
_MEASURES = {
    "wide": "width", "long": "length", "high": "height", "deep": "depth", "thick": "thickness", "heavy": "weight",
    "breed": "breedte", "lang": "lengte länge", "hoog": "hoogte", "diep": "diepte", "dik": "dikte", "zwaar": "gewicht",
    "breit": "breite", "hoch": "höhe", "tief": "tiefe", "dick": "dicke", "schwer": "gewicht", "old": "age",
}  # fmt: skip
_COUNTED = re.compile(
    r"\b(?:how many|hoeveel|wie ?viele?n?|combien d(?:e\s|['’]))\s*(?P<thing>\S+(?:\s\S+)?)", re.IGNORECASE
)
"""What is counted: "how many *consecutive attempts*", "combien de *jours ouvrables*"."""
_YES_NO = re.compile(
    r"^\W*(?:(?:and|so|en|und|et)\s+)?(?:may|can|must|shall|should|is|are|does|do|did|will|would|has|have|mag|"
    r"mogen|moet|moeten|kan|kunnen|zijn|"
    r"heeft|wordt|worden|darf|dürfen|muss|müssen|kann|können|ist|sind|hat|wird|werden|gibt|est-ce|peut-on|"
    r"puis-je|dois-je|doit-on|faut-il|"
    r"est-il|sont-ils|peut|doit|les? \w+ (?:peut|doit)-)\b",
    re.IGNORECASE,
)
_LIST_ASKED = re.compile(
    r"\b(?:list|name (?:the|all)|enumerate|which (?:\w+ ){0,3}?(?!(?:is|was|has|does)\b)\w+s\b(?! (?:is|was|has)\b)|"
    r"what are (?:the|all)|"
    r"what (?:\w+ ){0,2}\w+s (?:are|must|should|can|may|need)|"
    r"welke \w+(?:en|s|'s|ria)\b|noem (?:de|alle)|wat zijn de|welche \w+(?:en|er|e|n)\b|welchen \w+n\b|nenne|"
    r"^\W*(?:all the|alle|tou(?:te)?s les)|quel(?:le)?s|citez|"
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
_OBJECT = re.compile(
    r"\b(?:for|of|voor|van|für|von|pour|"
    r"(?:how|hoe|wie)\s\w+\s(?:must|may|can|should|is|are|moet|mag|kan|is|zijn|muss|darf|kann|ist|sind))\s+"
    r"(?P<object>.+?)(?=\s+(?:in|of|at|by|on|to|with|under|according|for|that|which|if|when|is|are|be|been|does|"
    r"cost|must|worden|werden|zijn|sein|"
    r"may|voor|die|van|bij|met|volgens|als|wanneer|moet|mag|von|bei|mit|nach|laut|gemäß|wenn|muss|darf|dans|selon|"
    r"avec|chez|si|"
    r"doit|peut)\b|[,;?.]|$)",
    re.IGNORECASE,
)
"""What the value is of: "the maximum value for *uranium* in table II"."""
_RANGE = re.compile(
    r"\b(?:between (?:which|what)|ranges?|from what .* to what|tussen welke|bereik|zwischen welche\w*|bereich|"
    r"entre quel\w*|plage)\b",
    re.IGNORECASE,
)
_HEAD = re.compile(
    r"^\W*(?:\w+\s+){0,2}?(?:what|which|wat|welke?|was|welche\w*|quel\w*)\s+(?:(?:is|are|was|were|zijn|ist|sind|"
    r"est|sont)\s+)?(?P<head>(?:(?!(?:do|does|did|when|if|als|wanneer|wenn|si|quand)\b)\S+\s+){0,6}?\S+)"
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
_PLACE = re.compile(
    r"(?<!\w)(?:sections?|sec\.|articles?|artikel|art\.|annex(?:es)?|anhang|anlage|bijlage|annexe|appendix|chapter|"
    r"hoofdstuk|kapitel|chapitre|tables?|tabel|tabelle|tableau|§)\s?"
    r"(?P<label>\d+(?:[.:-]\d+)*[a-z]?|[IVX]+|[A-Z](?:[.-]\d+)*)(?!\w)",
    re.IGNORECASE,
)
"""A numbered place that is asked about: "section 14.3", "tabel II"."""
_DOCUMENT_NOUN = re.compile(
    r"rulebooks?|guides?|guidelines?|handbooks?|manuals?|specifications?|regulations?|directives?|acts?|laws?|"
    r"ordinances?|decrees?|frameworks?|\w*besluit|\w*wet|\w*regeling|\w*richtlijn|\w*verordening|\w*handboek|"
    r"\w*verordnung|\w*gesetz|\w*richtlinie|\w*handbuch|règlement|loi|décret|manuel",
    re.IGNORECASE,
)
"""Nouns that name a document, alone or as the end of a compound: "Drinkwaterbesluit"."""
Extreme: TypeAlias = Literal["", "most", "least"]

_EXTREMES: tuple[tuple[Extreme, re.Pattern[str]], ...] = (
    (
        "most",
        re.compile(
            r"\b(?:maxim\w+|highest|largest|greatest|biggest|longest|heaviest|most expensive|costliest"
            r"|hoogste?|grootste?|langste?|duurste?|zwaarste?|höchst\w*|größte\w*|längste\w*|teuerste\w*|schwerste\w*"
            r"|l[ea]s? plus (?:hau|gran|élevé|cher|long|lourd)\w*)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "least",
        re.compile(
            r"\b(?:minim\w+|lowest|smallest|shortest|lightest|cheapest|least expensive|laagste?|kleinste?|kortste?"
            r"|lichtste?|goedkoopste?|niedrigste\w*|kleinste\w*|kürzeste\w*|leichteste\w*|billigste\w*"
            r"|günstigste\w*|l[ea]s? plus (?:bas|petit|court|lég)\w*|l[ea]s? moins cher\w*)\b",
            re.IGNORECASE,
        ),
    ),
)
"""Words that ask for the one end of a range of values."""
_LIMIT = re.compile(r"\b(?:\w*limits?|\w*limiet\w*|\w*grenze?n?|plafonds?|limites?|ceilings?)\b", re.IGNORECASE)
_MAY = re.compile(
    r"^\W*(?:may|can|could|is it (?:allowed|permitted|possible)|are (?:we|you|they) allowed|mag|mogen|kan|kunnen|kun|"
    r"darf|dürfen|kann|können|puis-je|peut|peuvent|peut-on|est-il (?:permis|possible|autorisé)|"
    r"(?:is|are|zijn|ist|sind|est)\b.* (?:allowed|permitted|toegestaan|toegelaten|erlaubt|zulässig|gestattet|"
    r"autorisée?s?|permise?s?))\b",
    re.IGNORECASE,
)
_SHUT_OFF = re.compile(r"\b(?:shut-?off|dead-?head|zero-?flow|no-?flow)\s(?P<noun>[^\W\d_]+)", re.IGNORECASE)
_NO_FLOW = re.compile(
    r"\b(?:(?:(?:at|with|by|bij|met|bei|mit|à|avec|en)\s)?(?:(?:an?|the|de|een|dem|einem|la|une)\s)?"
    r"(?:zero flow|no flow|shut-?off|(?:closed|shut) (?:\w+ )?valve|valve closed|nul ?debiet|debiet nul"
    r"|(?:gesloten|dichte) (?:klep|afsluiter)|nullförderung|nullfördermenge|nullmenge|geschlossene[mn]? (?:ventil"
    r"|schieber)|débit (?:nul|zéro)|vanne fermée))\b",
    re.IGNORECASE,
)
"""A closed valve is a flow of nothing: a point that tables print as 0."""
_NOTHING_FLOWS = {"en": "at flow 0", "nl": "bij debiet 0", "de": "bei Volumenstrom 0", "fr": "à débit 0"}
_AT_ONCE = word_list("once ineens einmal fois auf euro euros EUR")
"""Words beside an amount that the rule about it does not repeat."""
_WHO = {
    "en": re.compile(r"\b(?:who|whom|whose)\b", re.IGNORECASE),
    "nl": re.compile(r"\b(?:wie|wiens)\b", re.IGNORECASE),
    "de": re.compile(r"\b(?:wer|wem|wen|wessen)\b", re.IGNORECASE),
    "fr": re.compile(r"^\W*(?:et\s)?(?:qui|à qui|par qui|de qui)\b", re.IGNORECASE),
}
_SPECIFIC = re.compile(
    r"time-?outs?|\w*limits?|\w*limiet\w*|\w*grenze?n?|plafonds?|limites?|retention|interchange|fines?|penalt\w+"
    r"|\w*boetes?|geldbuße\w*|bußgeld\w*|amendes?|cryptoperiods?",
    re.IGNORECASE,
)
"""Words that ask for one value of its kind: not every time is a time-out, nor every percentage a limit."""
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
    name: bool = False
    """A proper name, by its capital within the sentence; never of a German word."""
    alike: Alike = NOTHING
    """What says the same in other words or languages; nothing for names, codes and numbers."""

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
    small_talk: SmallTalk
    counts: bool = False
    """It asks how many of something that no unit measures: a quantity with a unit is no answer."""
    unit_s: int = 0
    """Length of the unit of time in which it asks ("how many *days*"), in seconds; 0 when it names none."""
    given: tuple[Given, ...] = ()
    """Values that it brings as conditions."""
    places: tuple[str, ...] = ()
    """Labels of the numbered places it asks about: "14.3" of "section 14.3"."""
    object: tuple[Term, ...] = ()
    """Words of the thing whose value it asks for: "the fee for *cash withdrawals*"; empty when it is not said so."""
    document: tuple[Term, ...] = ()
    """Words that name a document: "Acceptance Devices Rulebook", "Drinkwaterbesluit"; empty when none does."""
    extreme: Extreme = ""
    """Which end of a range of values it asks for."""
    limit: bool = False
    """It asks for a bound by that name, or whether an amount that it brings is within one."""
    amount: bool = False
    """It asks whether something may be as much as it says: "may it pay € 200?" is answered by what is allowed."""
    who: bool = False
    """It asks for a person or a body."""
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


_ELIDED = re.compile(r"^(?:[cdjlmnst]|qu)['’](?=\w)", re.IGNORECASE)
"""What stands before a vowel in French, also before a part number: "l'ADX1100"."""


def _terms(text: str, language: str) -> tuple[Term, ...]:
    matches = list(words_in(text))
    no_forms = frozenset[str]()
    measured = {found.group(1).lower() for found in _MEASURED.finditer(text)}
    alphabetic = [m.group() for m in matches if m.group().isalpha() and len(m.group()) > 1]
    shouted = len(alphabetic) > 2 and sum(w.isupper() for w in alphabetic) > len(alphabetic) / 2
    alike = alike_in(text, language)
    terms: dict[str, Term] = {}
    for match in matches:
        word = _ELIDED.sub("", match.group()) if language == "fr" else match.group()
        kind = _kind_of(word, shouted=shouted)
        lower = word.lower()
        if len(word) == 1 and word.isupper() and is_level(text[: match.start()]):
            kind = "identifier"  # "level D", "class B"
        if kind == "word" and (_says_nothing(word, language) or lower in QUESTION_WORDS or len(word) < 2):
            continue
        stripped = re.sub(r"^[ldnsjmtcq]['’]|['’]s$|['’]$", "", word) if kind == "word" else word
        if kind == "word" and is_function_word(stripped, language):
            continue
        weight = WEAK_WEIGHT if kind == "word" and (lower in WEAK_WORDS or stem(lower, language) in WEAK_WORDS) else 1.0
        name = kind == "word" and not shouted and _is_name(text, match, language)
        terms.setdefault(
            stripped.lower(),
            Term(
                stripped,
                _term_forms(stripped, language)
                | (word_list(_MEASURES.get(lower, "")) if lower in measured else no_forms),
                kind,
                weight,
                asks=lower in measured or (asks_kind(stripped) and not _SPECIFIC.fullmatch(stripped)),
                name=name,
                alike=alike.get(match.start(), NOTHING) if kind in ("word", "capitals") and not name else NOTHING,
            ),
        )
    return tuple(terms.values())


def _says_nothing(word: str, language: str) -> bool:
    """Whether a word is a function word, or several in one: "est-elle", "qu'un"."""
    return all(is_function_word(part, language) for part in re.split(r"[-'’]", word) if part)


def _is_name(text: str, match: re.Match[str], language: str) -> bool:
    """Whether a word is capitalised where its language does not capitalise: within a sentence, but not in German."""
    word = match.group()
    if is_other(word) or re.search(r"[a-z][A-Z]", word):
        return True
    opens = not text[: match.start()].strip() or text[: match.start()].rstrip()[-1:] in ".?!:;"
    return word[0].isupper() and language != "de" and not opens


def _named_document(text: str, terms: Sequence[Term]) -> tuple[Term, ...]:
    """The words that name a document: the run of capitalised ones, or the compound, that a noun for documents closes or
    opens."""
    words = list(words_in(text))
    for k, match in enumerate(words):
        if not _DOCUMENT_NOUN.fullmatch(match.group()):
            continue
        run = {match.group().lower()}
        back = k - 1
        while back >= 0 and words[back].group()[0].isupper() and words[back].group().lower() not in QUESTION_WORDS:
            run.add(words[back].group().lower())
            back -= 1
        after = words[k + 1] if k + 1 < len(words) else None
        if (
            match.group()[0].isupper()
            and after is not None
            and re.fullmatch(r"(?i)besluit|wet|regeling", match.group())
        ):
            run.add(after.group().lower())
        named = tuple(term for term in terms if term.text.lower() in run)
        alone = re.fullmatch(r"\w{4,}(?:besluit|wet|regeling|verordening|verordnung|gesetz)", match.group().lower())
        if len(named) > 1 or (named and alone):
            return named
    return ()


WEAK_WEIGHT = 0.35
"""Weight of words like "value" or "document"; from the sketch (notes-gate.md), not refitted."""

SHARED_WEIGHT = 0.5
"""Weight of terms from elsewhere in the message: "and what holds for aldrin" is still about drinking water."""


def _single(text: str, language: str) -> Question:
    asks_number = bool(_NUMBER_ASKED.search(text))
    head = _HEAD.match(text)
    given = given_values(text)
    counted = _COUNTED.search(text)
    if counted and is_function_word(counted["thing"].split()[0], language):
        counted = None  # "hoeveel is de limiet"
    # What is counted or named behind "which" is what is asked for; a value that is brought along is not.
    named = head["head"] if head else ""
    kinds = asked_kinds(counted.group() if counted else named) or (
        frozenset() if counted else asked_kinds(_without(text, given))
    )
    if "year" in asked_kinds(text):
        kinds = frozenset({"year"})  # "welk jaar" is no number of years
    terms = _terms(text, language)
    amounts = (*(one.number.strip() for one in given), *values_of("money", text)) if _MAY.match(text) else ()
    amount = bool(amounts)
    if amount:
        money = frozenset({"money"}) if values_of("money", text) else frozenset[str]()
        kinds = money.union(*(one.kinds for one in given))
        brought = {match.group() for one in amounts for match in words_in(one)} | _AT_ONCE
        brought |= {text[one.end - len(unit) : one.end] for one in given if (unit := text[: one.end].split()[-1])}
        terms = tuple(replace(t, borrowed=True, weight=0.1) if t.text in brought else t for t in terms)
    ends: list[Extreme] = [end for end, asks in _EXTREMES if kinds and asks.search(text)]
    extreme: Extreme = ends[0] if ends else ""
    return Question(
        text=text,
        language=language,
        terms=terms,
        kinds=kinds,
        asks_number=asks_number,
        needs_value=asks_number or bool(extreme) or bool(head and asked_kinds(head["head"])),
        yes_no=bool(_YES_NO.match(text)),
        wants_list=bool(_LIST_ASKED.search(text)),
        definition=bool(_DEFINITION.match(text)),
        wants_range=bool(_RANGE.search(text)),
        small_talk=small_talk(text),
        counts=(counted is not None and not kinds) or "repetition" in kinds,
        unit_s=seconds_of_unit(counted["thing"]) if counted and kinds & {"time", "period"} else 0,
        given=given,
        places=tuple(dict.fromkeys(match["label"] for match in _PLACE.finditer(text))),
        object=_object(text, terms),
        document=_named_document(text, terms),
        extreme=extreme,
        limit=amount or bool(_LIMIT.search(text)),
        amount=amount,
        who=language in _WHO and bool(_WHO[language].search(text)),
    )


def _object(text: str, terms: Sequence[Term]) -> tuple[Term, ...]:
    said = _OBJECT.search(text)
    if said is None:
        return ()
    words = {match.group().lower() for match in words_in(said["object"])}
    return tuple(term for term in terms if term.text.lower() in words and term.weight > WEAK_WEIGHT)


def _without(text: str, given: tuple[Given, ...]) -> str:
    for value in reversed(given):
        text = f"{text[: value.start]} {text[value.end :]}"
    return text


def _with_no_flow(text: str, language: str) -> str:
    """The question with a closed valve as what tables print for it: a flow of 0.

    >>> _with_no_flow("What is the shut-off head at 1450 rpm?", "en")
    'What is the head at flow 0 at 1450 rpm?'
    >>> _with_no_flow("Welche Förderhöhe hat sie bei geschlossenem Schieber?", "de")
    'Welche Förderhöhe hat sie bei Volumenstrom 0?'
    """
    if language not in _NOTHING_FLOWS:
        return text
    point = _NOTHING_FLOWS[language]
    said = _SHUT_OFF.sub(lambda match: f"{match['noun']} {point}", text)
    return said if said != text else _NO_FLOW.sub(point, text)


def analyse(question: str, language: str | None = None) -> Question:
    """What the question asks, with its parts when it asks two things.

    >>> [term.text for term in analyse("What is the NPSH of the CRN 32-3 at 1450 rpm?").terms]
    ['NPSH', 'CRN', '32-3', '1450', 'rpm']
    >>> [part.text for part in analyse("Which IP class has it and up to what wind speed does it measure?").parts]
    ['Which IP class has it', 'up to what wind speed does it measure?']
    """
    text = " ".join(normalise(question).split())
    language = language or detect_language(text)
    text = _with_no_flow(text, language)
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
        return replace(parts[0], small_talk=small_talk(text))
    return replace(_single(text, language), parts=tuple(parts))
