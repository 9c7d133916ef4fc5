"""A question that brings a draft ("here is what I want to reply: is it right?") → the sentences to check. Pure."""

from __future__ import annotations

import re

from pincite.answer.claims import claims, sentences

_ASKS_TO_CHECK = re.compile(
    r"\b(?:is (?:this|it|that|the following|all of this|my (?:draft|reply|answer|text|mail|e-mail)) "
    r"(?:right|correct|accurate|true|ok|okay|in order)|(?:check|verify|proofread) (?:this|it|my|the following|whether)"
    r"|(?:want|plan|going|about) to (?:reply|answer|write|send|say)|my (?:draft|reply|answer)\b|draft reply"
    r"|(?:klopt|kloppen|klopt het dat) (?:dit|het|dat|mijn|deze|onderstaande?|het volgende)"
    r"|is (?:dit|het|dat|mijn (?:antwoord|concept|tekst|mail)) (?:juist|correct|goed|in orde)|controleer"
    r"|wil (?:ik )?(?:dit |het volgende |zo )?(?:antwoorden|schrijven|sturen)|mijn (?:concept|antwoord)\b"
    r"|conceptantwoord"
    r"|stimmt (?:das|dies|es|mein\w*|folgend\w*)|ist (?:das|dies|es|mein\w* (?:antwort|entwurf|text)) (?:so )?"
    r"(?:richtig|korrekt)|prüfen sie|prüfe|(?:will|möchte) (?:ich )?(?:so |folgendes |das )?(?:antworten|schreiben)"
    r"|mein(?:e|en)? (?:entwurf|antwort)\b|est-ce (?:exact|correct|juste|bien)|c'est (?:exact|correct|juste)|vérifiez?"
    r"|(?:veux|voudrais|vais) (?:répondre|écrire|envoyer)|mon (?:brouillon|projet de réponse)|ma réponse)\b",
    re.IGNORECASE,
)
_GREETS = re.compile(
    r"^\W*(?:dear|hi|hello|kind regards|best regards|regards|yours|thank you|thanks|beste|geachte|hallo"
    r"|met vriendelijke groet\w*|groet\w*|bedankt|sehr geehrte|liebe|guten tag|mit freundlichen grüßen|viele grüße"
    r"|danke|bonjour|cher"
    r"|chère|cordialement|merci)\b",
    re.IGNORECASE,
)
_VALUES = ("number", "quantity", "money", "percentage", "date", "time")
MOST = 7
"""Sentences that are checked: each takes a search."""


def draft_of(question: str) -> tuple[str, ...]:
    """The sentences that the asker wants to have checked; none when no draft is brought.

    >>> draft_of("I want to reply: 'A refund costs 0.05 %. It is free abroad.' Is it right?")
    ('A refund costs 0.05 %.', 'It is free abroad.')
    >>> draft_of("Is it right that a refund costs 0.05 %?")
    ()
    """
    asked = _ASKS_TO_CHECK.search(question)
    if not asked or not re.search(r"[:\n“„«\"]|(?<!\w)'", question):
        return ()
    found: list[str] = []
    for part in re.split(r":\s+|[\n“”„«»\"]+|(?<!\w)'|'(?!\w)", question):
        for sentence in sentences(part):
            text = part[sentence.start : sentence.end].strip(" -–•*\t")
            is_claim = len(text.split()) >= 4 or (len(text.split()) >= 2 and bool(claims(text)))
            if is_claim and not text.endswith("?") and not _ASKS_TO_CHECK.search(text) and not _GREETS.match(text):
                found.append(text)
    return tuple(dict.fromkeys(found))[:MOST]


def request_of(question: str, draft: tuple[str, ...]) -> str:
    """What the asker says himself, around the draft; the question when nothing is left. Its language is his."""
    for sentence in draft:
        question = question.replace(sentence, " ")
    return question if re.search(r"[^\W\d_]{3}", question) else " ".join(draft)


def asked_of(sentence: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Questions for what a sentence claims: one of its values left out each time, with the values that stay; then all.

    >>> asked_of("A domestic refund costs 0.05 %.")
    (('A domestic refund costs ?', ()),)
    """
    values = [one.claim for one in claims(sentence) if one.claim.kind in _VALUES]
    leaving = [[value] for value in values] + ([values] if len(values) > 1 else [])
    asked: list[tuple[str, tuple[str, ...]]] = []
    for left_out in leaving:
        text = sentence
        for value in reversed(left_out):
            text = text[: value.start] + text[value.end :]
        stay = tuple(value.text for value in values if value not in left_out)
        asked.append((" ".join(text.rstrip(".! ").split()) + " ?", stay))
    return tuple(asked)
