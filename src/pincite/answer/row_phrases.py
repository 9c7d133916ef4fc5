"""What Pincite says of the parts catalogue by itself, in the language of the question."""

from __future__ import annotations

from pincite.answer.phrases import Language
from pincite.catalogue import Match

TITLES: dict[str, dict[Language, str]] = {
    "number": {"en": "Part number", "nl": "Onderdeelnummer", "de": "Teilenummer", "fr": "Référence"},
    "description": {"en": "Description", "nl": "Omschrijving", "de": "Bezeichnung", "fr": "Désignation"},
    "manufacturer": {"en": "Manufacturer", "nl": "Fabrikant", "de": "Hersteller", "fr": "Fabricant"},
    "model": {"en": "Model", "nl": "Type", "de": "Typ", "fr": "Modèle"},
    "oem": {"en": "OEM number", "nl": "OEM-nummer", "de": "OEM-Nummer", "fr": "Référence OEM"},
    "stock": {"en": "Stock", "nl": "Voorraad", "de": "Bestand", "fr": "Stock"},
    "price": {"en": "Price", "nl": "Prijs", "de": "Preis", "fr": "Prix"},
}
"""Titles of a row's fields, in the order in which they are shown."""

SUPERSEDES: dict[Language, str] = {
    "en": "{new} supersedes {old}.",
    "nl": "{new} vervangt {old}.",
    "de": "{new} ersetzt {old}.",
    "fr": "{new} remplace {old}.",
}
SUPERSEDED_BY: dict[Language, str] = {
    "en": "{old} is superseded by {new}.",
    "nl": "{old} is vervangen door {new}.",
    "de": "{old} ist durch {new} ersetzt.",
    "fr": "{old} est remplacé par {new}.",
}

MATCHES: dict[Match, dict[Language, str]] = {
    "spelling": {
        "en": "similar: the number is written otherwise",
        "nl": "gelijkend: het nummer is anders geschreven",
        "de": "ähnlich: die Nummer ist anders geschrieben",
        "fr": "semblable : le numéro s'écrit autrement",
    },
    "similar": {
        "en": "similar number, not the one asked for",
        "nl": "gelijkend nummer, niet het gevraagde",
        "de": "ähnliche Nummer, nicht die gefragte",
        "fr": "numéro semblable, pas celui demandé",
    },
    "words": {
        "en": "found by words, not by number",
        "nl": "gevonden op woorden, niet op nummer",
        "de": "nach Wörtern gefunden, nicht nach der Nummer",
        "fr": "trouvé par des mots, pas par le numéro",
    },
}
"""What is said of a row that was not found by its number."""

FUZZY: dict[Language, str] = {
    "en": "Not found by the exact number: compare the part number before you use this.",
    "nl": "Niet op het exacte nummer gevonden: vergelijk het onderdeelnummer voordat u dit gebruikt.",
    "de": "Nicht unter der genauen Nummer gefunden: Vergleichen Sie die Teilenummer, bevor Sie dies verwenden.",
    "fr": "Non trouvé sous le numéro exact : comparez la référence avant d'utiliser ceci.",
}
NO_ROW: dict[Language, str] = {
    "en": "The parts catalogue has no row for “{query}”.",
    "nl": "De onderdelencatalogus heeft geen rij voor “{query}”.",
    "de": "Der Teilekatalog hat keine Zeile für „{query}“.",
    "fr": "Le catalogue des pièces n'a pas de ligne pour « {query} ».",
}
UNREAD: dict[Language, str] = {
    "en": "The parts catalogue could not be read, so nothing here comes from it.",
    "nl": "De onderdelencatalogus kon niet worden gelezen; niets hiervan komt daaruit.",
    "de": "Der Teilekatalog konnte nicht gelesen werden; nichts hiervon stammt daraus.",
    "fr": "Le catalogue des pièces n'a pas pu être lu ; rien ici n'en provient.",
}
