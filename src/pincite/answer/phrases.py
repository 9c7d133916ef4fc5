"""Every sentence that Pincite says to a reader by itself, in the language of the question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

Language: TypeAlias = Literal["en", "nl", "de", "fr"]


LANGUAGE_NAMES: dict[Language, str] = {"en": "English", "nl": "Dutch", "de": "German", "fr": "French"}


def language_of(code: str) -> Language:
    """The language of what Pincite says by itself: the question's, English for any other."""
    for language in LANGUAGE_NAMES:
        if language == code:
            return language
    return "en"


_NOTHING: dict[Language, str] = {
    "en": "The documents do not say.",
    "nl": "De documenten zeggen dit niet.",
    "de": "Die Dokumente sagen das nicht.",
    "fr": "Les documents ne le disent pas.",
}
_LOOKED: dict[Language, str] = {
    "en": "I looked in {titles} and found no passage that answers this.",
    "nl": "Ik heb gezocht in {titles} en vond geen passage die dit beantwoordt.",
    "de": "Ich habe in {titles} gesucht und keine Stelle gefunden, die das beantwortet.",
    "fr": "J'ai cherché dans {titles} et n'ai trouvé aucun passage qui y réponde.",
}
_ALL: dict[Language, str] = {
    "en": "all {n} documents",
    "nl": "alle {n} documenten",
    "de": "allen {n} Dokumenten",
    "fr": "l'ensemble des {n} documents",
}
_MORE: dict[Language, str] = {"en": "{n} more", "nl": "nog {n}", "de": "{n} weiteren", "fr": "{n} autres"}
_AND: dict[Language, str] = {"en": "and", "nl": "en", "de": "und", "fr": "et"}
_MISSING: dict[Language, str] = {
    "en": "Not found in the documents: {words}.",
    "nl": "Niet gevonden in de documenten: {words}.",
    "de": "In den Dokumenten nicht gefunden: {words}.",
    "fr": "Introuvable dans les documents : {words}.",
}
_NOT_CITABLE: dict[Language, str] = {
    "en": "Only superseded or doubtful passages speak of this. They can be read here, but are not quoted.",
    "nl": "Alleen vervangen of twijfelachtige passages gaan hierover. Ze zijn te lezen, maar worden niet geciteerd.",
    "de": "Nur ersetzte oder zweifelhafte Stellen handeln davon. Sie sind hier zu lesen, werden aber nicht zitiert.",
    "fr": "Seuls des passages remplacés ou douteux en parlent. On peut les lire ici, mais ils ne sont pas cités.",
}
_OUTSIDE: dict[Language, str] = {
    "en": "I only answer questions from the documents here, with the page; this one is not for them. "
    "Ask me what they say about a subject.",
    "nl": "Ik beantwoord alleen vragen uit de documenten hier, met de pagina; deze vraag hoort daar niet bij. "
    "Vraag me wat ze over een onderwerp zeggen.",
    "de": "Ich beantworte nur Fragen aus den Dokumenten hier, mit der Seite; diese gehört nicht dazu. "
    "Fragen Sie mich, was sie zu einem Thema sagen.",
    "fr": "Je ne réponds qu'aux questions sur les documents d'ici, avec la page ; celle-ci n'en relève pas. "
    "Demandez-moi ce qu'ils disent d'un sujet.",
}
_GREETING: dict[Language, str] = {
    "en": "Hello. Ask me what the documents say about a subject; every answer names the page.",
    "nl": "Dag. Vraag me wat de documenten over een onderwerp zeggen; elk antwoord noemt de pagina.",
    "de": "Guten Tag. Fragen Sie mich, was die Dokumente zu einem Thema sagen; jede Antwort nennt die Seite.",
    "fr": "Bonjour. Demandez-moi ce que les documents disent d'un sujet ; chaque réponse cite la page.",
}
_ESCALATED: dict[Language, str] = {
    "en": "A person has to look at this: {reason}",
    "nl": "Hier moet een mens naar kijken: {reason}",
    "de": "Das muss sich ein Mensch ansehen: {reason}",
    "fr": "Une personne doit examiner ceci : {reason}",
}


def refusal(
    reason: str, language: Language, *, titles: Sequence[str] = (), missing: Sequence[str] = (), documents: int = 0
) -> str:
    """The plain sentences of a refused answer: what is not there and where it was looked for.

    ``reason`` is one of ``answer.select.RefusalReason``; ``missing`` are words of the question itself.
    """
    if reason == "greeting":
        return _GREETING[language]
    if reason == "out_of_scope":
        return _OUTSIDE[language]
    if reason == "not_citable":
        # Not that the documents do not say it: an older revision may, and can be opened.
        return _NOT_CITABLE[language]
    parts = [_NOTHING[language]]
    if missing:
        parts.append(not_found(missing, language))
    if titles:
        named = [f"“{title}”" for title in titles[:3]]
        if len(titles) > 3:
            named.append(_MORE[language].format(n=len(titles) - 3))
        joined = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} {_AND[language]} {named[-1]}"
        parts.append(_LOOKED[language].format(titles=joined))
    elif documents:
        parts.append(_LOOKED[language].format(titles=_ALL[language].format(n=documents)))
    return " ".join(parts)


def not_found(words: Sequence[str], language: Language) -> str:
    """One sentence that names the words of the question for which nothing was found."""
    return _MISSING[language].format(words=", ".join(f"“{word}”" for word in words))


_WITHHELD: dict[Language, str] = {
    "en": "“{text}” was withheld ({why}).",
    "nl": "“{text}” is achtergehouden ({why}).",
    "de": "„{text}“ wurde zurückgehalten ({why}).",
    "fr": "« {text} » a été retenu ({why}).",
}


def withheld(text: str, why: str, language: Language) -> str:
    """Why a person has to look when a sentence could not be shown, for the reader."""
    return escalation(_WITHHELD[language].format(text=text, why=why.rstrip(".")), language)


def escalation(reason: str, language: Language) -> str:
    """Why a person has to look, for the reader."""
    return _ESCALATED[language].format(reason=reason)


# ---------------------------------------------------------------- steps

_STEPS: dict[str, dict[Language, str]] = {
    "question": {
        "en": "Question: {question}",
        "nl": "Vraag: {question}",
        "de": "Frage: {question}",
        "fr": "Question : {question}",
    },
    "searched": {
        "en": "Searched for “{query}”: {passages} in {documents}",
        "nl": "Gezocht naar “{query}”: {passages} in {documents}",
        "de": "Nach „{query}“ gesucht: {passages} in {documents}",
        "fr": "Recherche de « {query} » : {passages} dans {documents}",
    },
    "searched_in_vain": {
        "en": "Searched for “{query}”: nothing found",
        "nl": "Gezocht naar “{query}”: niets gevonden",
        "de": "Nach „{query}“ gesucht: nichts gefunden",
        "fr": "Recherche de « {query} » : rien trouvé",
    },
    "searched_again": {
        "en": "Searched again for “{query}”: nothing new",
        "nl": "Opnieuw gezocht naar “{query}”: niets nieuws",
        "de": "Noch einmal nach „{query}“ gesucht: nichts Neues",
        "fr": "Nouvelle recherche de « {query} » : rien de nouveau",
    },
    "no_words": {
        "en": "Asked for a search without words",
        "nl": "Een zoekopdracht zonder woorden",
        "de": "Eine Suche ohne Wörter",
        "fr": "Une recherche sans mots",
    },
    "unexplained": {
        "en": "One more call was not explained, and not made",
        "nl": "Nog een stap werd niet toegelicht, en niet gezet",
        "de": "Ein weiterer Schritt wurde nicht begründet und nicht ausgeführt",
        "fr": "Une étape de plus n'a pas été justifiée : elle n'est pas faite",
    },
    "unknown_document": {
        "en": "Asked for an unknown document",
        "nl": "Een onbekend document opgevraagd",
        "de": "Nach einem unbekannten Dokument gefragt",
        "fr": "Un document inconnu a été demandé",
    },
    "unknown_section": {
        "en": "Looked for section “{section}” in {title}: not there",
        "nl": "Gezocht naar sectie “{section}” in {title}: niet aanwezig",
        "de": "Abschnitt „{section}“ in {title} gesucht: nicht vorhanden",
        "fr": "Recherche de la section « {section} » dans {title} : absente",
    },
    "read": {
        "en": "Reading {what}",
        "nl": "Leest {what}",
        "de": "Liest {what}",
        "fr": "Lecture : {what}",
    },
    "read_again": {
        "en": "Read again {what}: nothing new",
        "nl": "Opnieuw gelezen {what}: niets nieuws",
        "de": "Noch einmal gelesen {what}: nichts Neues",
        "fr": "Relecture : {what}, rien de nouveau",
    },
    "empty": {
        "en": "Read {what}: empty",
        "nl": "{what} gelezen: leeg",
        "de": "{what} gelesen: leer",
        "fr": "Lecture : {what}, vide",
    },
    "too_long": {
        "en": "{what} is too long to read whole",
        "nl": "{what} is te lang om in zijn geheel te lezen",
        "de": "{what} ist zu lang, um ganz gelesen zu werden",
        "fr": "{what} est trop long pour être lu en entier",
    },
    "listed": {
        "en": "Listed documents: page {page} of {pages}",
        "nl": "Documenten opgesomd: pagina {page} van {pages}",
        "de": "Dokumente aufgelistet: Seite {page} von {pages}",
        "fr": "Liste des documents : page {page} sur {pages}",
    },
    "model_unusable": {
        "en": "The model {model} could not be used ({why}); {by} answers instead",
        "nl": "Het model {model} was niet bruikbaar ({why}); {by} antwoordt",
        "de": "Das Modell {model} war nicht zu gebrauchen ({why}); {by} antwortet",
        "fr": "Le modèle {model} n'a pas pu être utilisé ({why}) ; {by} répond",
    },
    "looked_up": {
        "en": "Looked up “{query}” in the parts catalogue: {n} found",
        "nl": "“{query}” opgezocht in de onderdelencatalogus: {n} gevonden",
        "de": "„{query}“ im Teilekatalog nachgeschlagen: {n} gefunden",
        "fr": "« {query} » cherché dans le catalogue des pièces : {n} trouvé(s)",
    },
    "catalogue_failed": {
        "en": "The parts catalogue could not be read",
        "nl": "De onderdelencatalogus kon niet worden gelezen",
        "de": "Der Teilekatalog konnte nicht gelesen werden",
        "fr": "Le catalogue des pièces n'a pas pu être lu",
    },
    "failed": {
        "en": "The library could not be read",
        "nl": "De bibliotheek kon niet worden gelezen",
        "de": "Die Bibliothek konnte nicht gelesen werden",
        "fr": "La bibliothèque n'a pas pu être lue",
    },
}


def step(key: str, language: Language, **values: object) -> str:
    """What the loop did, in words, for the reader who waits; ``key`` is one of the steps above."""
    return _STEPS[key][language].format(**values)


_PASSAGES: dict[Language, tuple[str, str]] = {
    "en": ("1 passage", "{n} passages"),
    "nl": ("1 passage", "{n} passages"),
    "de": ("1 Stelle", "{n} Stellen"),
    "fr": ("1 passage", "{n} passages"),
}
_DOCUMENTS: dict[Language, tuple[str, str]] = {
    "en": ("1 document", "{n} documents"),
    "nl": ("1 document", "{n} documenten"),
    "de": ("1 Dokument", "{n} Dokumenten"),
    "fr": ("1 document", "{n} documents"),
}


def passages(n: int, language: Language) -> str:
    return _PASSAGES[language][n != 1].format(n=n)


def documents(n: int, language: Language) -> str:
    """As it stands after "in"."""
    return _DOCUMENTS[language][n != 1].format(n=n)


# ---------------------------------------------------------------- why an answer stopped early

_STOPPED: dict[str, dict[Language, str]] = {
    "calls": {
        "en": "it took more than {n} searches and readings.",
        "nl": "het kostte meer dan {n} keer zoeken en lezen.",
        "de": "es brauchte mehr als {n} Suchen und Lesungen.",
        "fr": "il a fallu plus de {n} recherches et lectures.",
    },
    "turns": {
        "en": "it took more turns than one answer may take.",
        "nl": "het kostte meer beurten dan een antwoord mag kosten.",
        "de": "es brauchte mehr Runden, als eine Antwort brauchen darf.",
        "fr": "il a fallu plus de tours qu'une réponse n'en peut prendre.",
    },
    "seconds": {
        "en": "it took more than {n:g} seconds.",
        "nl": "het duurde langer dan {n:g} seconden.",
        "de": "es dauerte länger als {n:g} Sekunden.",
        "fr": "cela a pris plus de {n:g} secondes.",
    },
    "tokens": {
        "en": "it took more than {n} tokens.",
        "nl": "het kostte meer dan {n} tokens.",
        "de": "es brauchte mehr als {n} Tokens.",
        "fr": "il a fallu plus de {n} jetons.",
    },
    "cost": {
        "en": "it cost more than {n:g}.",
        "nl": "het kostte meer dan {n:g}.",
        "de": "es kostete mehr als {n:g}.",
        "fr": "cela a coûté plus de {n:g}.",
    },
    "length": {
        "en": "the model wrote more than an answer may have.",
        "nl": "het model schreef meer dan een antwoord mag hebben.",
        "de": "das Modell schrieb mehr, als eine Antwort haben darf.",
        "fr": "le modèle a écrit plus qu'une réponse ne peut contenir.",
    },
    "library": {
        "en": "the library could not be read.",
        "nl": "de bibliotheek kon niet worden gelezen.",
        "de": "die Bibliothek konnte nicht gelesen werden.",
        "fr": "la bibliothèque n'a pas pu être lue.",
    },
    "catalogue": {
        "en": "the parts catalogue could not be read.",
        "nl": "de onderdelencatalogus kon niet worden gelezen.",
        "de": "der Teilekatalog konnte nicht gelesen werden.",
        "fr": "le catalogue des pièces n'a pas pu être lu.",
    },
    "broke_off": {
        "en": "the model {model} broke off in the middle of its answer.",
        "nl": "het model {model} brak midden in zijn antwoord af.",
        "de": "das Modell {model} brach mitten in seiner Antwort ab.",
        "fr": "le modèle {model} s'est interrompu au milieu de sa réponse.",
    },
}


def stopped(key: str, language: Language, **values: object) -> str:
    """Why an answer ended before its model had finished, in words that follow a colon."""
    return _STOPPED[key][language].format(**values)


# ---------------------------------------------------------------- models

_FAULTS: dict[str, dict[Language, str]] = {
    "key": {
        "en": "it refused the key",
        "nl": "het weigerde de sleutel",
        "de": "es lehnte den Schlüssel ab",
        "fr": "il a refusé la clé",
    },
    "busy": {"en": "it is busy", "nl": "het is bezet", "de": "es ist ausgelastet", "fr": "il est saturé"},
    "quota": {
        "en": "its credit is used up",
        "nl": "het tegoed is op",
        "de": "sein Guthaben ist verbraucht",
        "fr": "son crédit est épuisé",
    },
    "late": {
        "en": "it did not answer in time",
        "nl": "het antwoordde niet op tijd",
        "de": "es antwortete nicht rechtzeitig",
        "fr": "il n'a pas répondu à temps",
    },
    "gone": {
        "en": "it cannot be reached",
        "nl": "het is niet bereikbaar",
        "de": "es ist nicht erreichbar",
        "fr": "il est injoignable",
    },
    "unknown": {
        "en": "the endpoint does not know it",
        "nl": "het endpoint kent het niet",
        "de": "der Endpunkt kennt es nicht",
        "fr": "le serveur ne le connaît pas",
    },
    "long": {
        "en": "what it had to read was too long for it",
        "nl": "wat het moest lezen was te lang",
        "de": "was es lesen sollte, war ihm zu lang",
        "fr": "ce qu'il devait lire était trop long pour lui",
    },
    "refused": {
        "en": "it refused the request",
        "nl": "het weigerde de vraag",
        "de": "es wies die Anfrage zurück",
        "fr": "il a rejeté la demande",
    },
    "declined": {
        "en": "it declined to answer",
        "nl": "het wilde niet antwoorden",
        "de": "es wollte nicht antworten",
        "fr": "il n'a pas voulu répondre",
    },
    "broke_off": {"en": "it broke off", "nl": "het brak af", "de": "es brach ab", "fr": "il s'est interrompu"},
    "fault": {"en": "it failed", "nl": "het werkte niet", "de": "es versagte", "fr": "il a échoué"},
}
_BUILT_IN: dict[Language, str] = {
    "en": "the built-in model",
    "nl": "het ingebouwde model",
    "de": "das eingebaute Modell",
    "fr": "le modèle intégré",
}


def replaced(model: str, fault: str, by: str, language: Language) -> str:
    """The step that says that ``model`` could not be used, why, and who answers; ``by`` "": the built-in model."""
    why = _FAULTS[fault][language]
    return step("model_unusable", language, model=model, why=why, by=by or _BUILT_IN[language])


# ---------------------------------------------------------------- a draft beside the documents

_BESIDE_DRAFT: dict[str, dict[Language, str]] = {
    "agrees": {
        "en": "Your text agrees with the documents:",
        "nl": "Uw tekst klopt met de documenten:",
        "de": "Ihr Text stimmt mit den Dokumenten überein:",
        "fr": "Votre texte concorde avec les documents :",
    },
    "differs": {
        "en": "Your text differs; the documents say:",
        "nl": "Uw tekst wijkt af; de documenten zeggen:",
        "de": "Ihr Text weicht ab; die Dokumente sagen:",
        "fr": "Votre texte s'en écarte ; les documents disent :",
    },
}


def beside_draft(mark: str, language: Language) -> str:
    """What stands before a sentence of the documents that the asker's draft was checked against."""
    return _BESIDE_DRAFT[mark][language]
