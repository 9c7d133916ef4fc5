"""What is answered from no document, known by rule before anything is searched; and the names of others."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from pincite.answer.select.words import word_list

SmallTalk: TypeAlias = Literal["", "greeting", "out_of_scope"]

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
    r"\b(?:(?:do|would|could|can) you (?:recommend|advise|suggest)|(?:raadt?|beveelt?|adviseert?) (?:u|je|jij|"
    r"jullie)\b|"
    r"(?:kun|kunt|zou|zouden) (?:u|je|jullie)\b.{0,30}\b(?:aanraden|aanbevelen|adviseren)|"
    r"(?:empfehlen|empfiehlst|raten) (?:sie|du)\b|(?:würden|können|könnten) sie\b.{0,40}\b(?:empfehlen|raten)|"
    r"(?:conseille[zs]|recommande[zs])-(?:vous|tu)|(?:pouvez|pourriez)-vous\b.{0,20}\b(?:conseiller|recommander))"
    r"|\b(?:should (?:i|we)|moet(?:en)? (?:ik|we|wij)|soll(?:te|ten|en)? (?:ich|wir)|(?:dois|devrais)-je|"
    r"devons-nous)\b.{0,40}"
    r"\b(?:buy|kopen|kaufen|acheter|invest\w*|sue|investeren|beleggen|"
    r"aanklagen|dagvaarden|investieren|verklagen|poursuivre|porter plainte)\b",
    re.IGNORECASE,
)
"""Advice that no document gives: what somebody would recommend, whether to buy, to invest, to sue."""
_ELSEWHERE = re.compile(
    r"\b(?:what(?:'s| is| will) the weather|horoscope|recipe for|weersverwachting|hoe is het weer|wetterbericht|"
    r"wie (?:ist|wird) das wetter|météo|quel temps fera)\b|^\W*(?:translate|vertaal|übersetzen?|traduis\w*|"
    r"traduisez)\b",
    re.IGNORECASE,
)
"""What no document of an organisation is asked for."""
_OF_OTHERS = re.compile(
    r"\b(?:(?:the |an)?other|competing|rival|(?:het |de |een )?andere?|concurrerende?|"
    r"(?:d\w\w |ein\w* )?andere[nrsm]?|konkurrierende\w*|(?:l['’]|d['’]|un |une |les )?autres?|concurrente?s?)\s+"
    r"(?:[\w-]+\s+){0,3}?(?:schemes?|networks?|makers?|manufacturers?|suppliers?|vendors?|competitors?|\w*schema['’]?s?|"
    r"\w*netwerk(?:en)?|fabrikant(?:en)?|leveranciers?|concurrent(?:en)?|\w*systeme?s?|hersteller\w*|anbieter\w*|"
    r"wettbewerber\w*|réseaux?|systèmes?|fabricants?|fournisseurs?|concurrents?)\b",
    re.IGNORECASE,
)
_CHARGE = re.compile(
    r"^\W*(?:(?:and|en|und|et)\s+)?(?:what|how much|which|wat|hoeveel|welke?|was|wie ?viel|welche\w*|combien|quel\w*)\b"
    r".*\b(?:charg\w+|costs?|asks?|takes?|rekenen?|rekent|vraagt|vragen|kost(?:en)?|verlang\w*|berechne\w*|"
    r"kostet|nimmt|nehmen|factur\w+|demande\w*|coûte\w*|prend|prélève\w*)\b",
    re.IGNORECASE,
)
"""With ``_OF_OTHERS``: what others charge, who go without a name. One's own fee would be a wrong answer."""
_OTHERS = word_list(
    """visa mastercard maestro amex paypal ideal bancontact girocard giropay klarna wero unionpay stripe adyen alipay
    twint swish bizum blik sofort worldline revolut"""
)
"""Well-known schemes and providers, who are written without a capital as well: names in any language."""
_OFTEN_COMMON = frozenset({"ideal", "sofort", "swish", "visa"})
"""Of these names, those that are words as well: only with a capital."""


def small_talk(question: str) -> SmallTalk:
    """Whether a question is a greeting, or asks for what no document gives: a poem, advice, the weather."""
    if _GREETING.match(question):
        return "greeting"
    return (
        "out_of_scope"
        if _OUT_OF_SCOPE.match(question)
        or any(asks.search(question) for asks in (_ADVICE, _ELSEWHERE))
        or (_CHARGE.search(question) and _OF_OTHERS.search(question))
        else ""
    )


def is_other(word: str) -> bool:
    """Whether a word is the name of a well-known scheme or provider."""
    lower = word.lower()
    return lower in _OTHERS and (lower not in _OFTEN_COMMON or word != lower)
