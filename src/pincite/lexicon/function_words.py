"""The function words of four languages, and the language that they tell."""

from __future__ import annotations

import re

from pincite.lexicon.stemming import LANGUAGES


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS: dict[str, frozenset[str]] = {
    "en": _words(
        """
        a an the of to in on at by for from with without into onto over under about as per than then that this
        these those there here it its he she they them their his her i me my mine we us our you your who whom
        whose which what when where why how someone something anyone anything everyone
        everything themselves himself herself itself yourself myself ourselves whether and or but nor not no if so
        is are was were be been being am do does did doing done have has had having can could may might
        must shall should will would any some all
        each every both either neither such only also too very more most much many long often other another
        same own between within during after before until while because up down out off just
        """
    ),
    "nl": _words(
        """
        iemand iets zichzelf of
        de het een van voor met zonder bij in op aan uit om te tot ten ter door over onder tegen tussen binnen
        tijdens na naar als dan dat die dit deze daar hier er hij zij ze hem haar hun hen ik mij me mijn wij
        we ons onze jij je jouw u uw wie wat welk welke waar wanneer waarom hoe hoeveel en of maar noch niet
        geen is zijn was waren ben bent wordt worden werd werden geworden heeft hebben heb hebt had hadden doe
        doet doen deed kan kun kunt kunnen kon mag mogen mocht moet moeten moest zal zullen zou zouden wil
        willen elk elke ieder iedere alle al alleen ook zeer meer meest veel vaak lang andere ander eigen zelf
        vanaf sinds volgens nog wel geldt gelden waarin waarop waarvoor waarbij
        """
    ),
    "de": _words(
        """
        gibt jemand etwas selbst ob
        der die das den dem des ein eine einen einem einer eines von vom zu zum zur für mit ohne bei beim in
        im ins auf an am aus um bis durch über unter gegen zwischen innerhalb während nach vor seit als dann
        dass daß dieser diese dieses diesem diesen jener da hier es er sie ihm ihr ihre ihren ich mir mich
        mein meine wir uns unser du dein wer wen wem was welche welcher welches welchen welchem wo wann warum
        wie wieviel viel viele und oder aber noch nicht kein keine keinen ist sind war waren bin bist sein
        wird werden wurde wurden geworden hat haben habe hatte hatten tun tut kann können konnte darf dürfen
        muss muß müssen soll sollen will wollen jede jeder jedes alle alles nur auch sehr mehr meist oft lange
        lang andere anderer eigene ab laut gemäß gilt gelten sich man
        """
    ),
    "fr": _words(
        """
        quelqu quelque chose même
        le la les l un une des du de d au aux à en dans sur sous par pour avec sans chez entre vers depuis
        pendant après avant jusqu jusque contre comme que qu qui quoi dont où quand pourquoi comment combien
        quel quelle quels quelles ce cet cette ces cela ça ceci il elle ils elles lui leur leurs je j me m moi
        mon ma mes nous notre nos tu te ton ta tes vous votre vos se s son sa ses y et ou mais ni ne n pas non
        si est sont était étaient être suis êtes été a ont avait avaient avoir ai avez fait faire font faut peut
        peuvent pouvoir puis doit doivent devoir dois on tout tous toute toutes chaque aucun aucune seul
        seulement aussi très plus moins beaucoup souvent longtemps autre autres même selon lequel laquelle
        lesquels
        """
    ),
}
"""Words that say nothing about the subject, and by which the language of a question is decided."""


def detect_language(text: str) -> str:
    """The language whose function words the text has most of; ``en`` when it has none.

    >>> detect_language("Hoeveel bar mag de pomp hebben?"), detect_language("Quelle est la pression maximale ?")
    ('nl', 'fr')
    """
    counts = dict.fromkeys(LANGUAGES, 0)
    for match in re.finditer(r"[^\W\d_]+", text.lower()):
        for code in LANGUAGES:
            counts[code] += match.group() in FUNCTION_WORDS[code]
    best = max(LANGUAGES, key=lambda code: counts[code])
    return best if counts[best] else "en"
