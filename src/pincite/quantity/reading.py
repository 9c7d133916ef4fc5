"""Text in, values out."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from pincite.quantity.normal import normalise
from pincite.quantity.printed import (
    BEFORE_UNIT,
    BOUNDS_AFTER,
    BOUNDS_BEFORE,
    CERTIFICATION,
    CURRENCY_PATTERN,
    DENIED_BOUNDS,
    DENIES_BOUND,
    DEVIATES_AFTER,
    DEVIATES_BEFORE,
    GLUED,
    HYPHENED,
    JOINS_RANGE,
    MONTH,
    MONTHS,
    NAMED,
    NEGATION,
    NUMBER,
    ORDINALS,
    PATTERN,
    SCALE_PATTERN,
    SECTION_WORDS,
    SHARES_UNIT,
    SPELLED,
    SPELLED_PATTERNS,
    STANDARDS,
    UNIT_PATTERN,
    WORDED_UNITS,
    read_number,
)
from pincite.quantity.units import EXACT, FOLDED, GLUED_ONLY, NOT_AFTER_SPACE, SCALES, SYMBOL_SCALES, currency_of
from pincite.quantity.values import Bound, Certification, Clock, Found, Identifier, Moment, Quantity, Quarter, Value


def read(text: str, language: str = "") -> tuple[Found, ...]:
    """Return the values of ``text`` in order of their start; spans are in ``text`` as given.

    ``language`` (ISO 639-1) decides what separators mean; empty when it is unknown. Citation marks and web addresses
    hold no values.
    """
    normal = normalise(text)
    return tuple(
        replace(found, start=span[0], end=span[1])
        for found in read_normal(normal.text, language)
        for span in (normal.span(found.start, found.end),)
    )


def parse(text: str, language: str = "") -> Value | None:
    """Return the one value that ``text`` is, or None when it is not exactly one."""
    stripped = text.strip()
    found = read(stripped, language)
    if len(found) != 1:
        return None
    start, end = found[0].start, found[0].end
    rest = (stripped[:start] + stripped[end:]).strip()
    value = found[0].value
    bound = isinstance(value, Quantity) and bool(value.bound)
    return value if not rest or bound else None


def read_normal(text: str, language: str = "") -> tuple[Found, ...]:
    """Return the values of a text that `normalise` made; spans are in it."""
    found: list[Found] = []
    at = 0
    while match := PATTERN.search(text, at):
        here = _read_match(text, match, language)
        found.extend(here)
        # A unit that was taken with its number ("m3/h") is not read again as an identifier.
        at = max([match.end(), *(item.end for item in here)])
    found.extend(_spelled(text, found, language))
    found.extend(_certifications(text))
    found.sort(key=lambda item: (item.start, item.start - item.end))
    return tuple(_toleranced(text, _bounded(text, _ranged(text, found))))


def _read_match(text: str, match: re.Match[str], language: str) -> list[Found]:
    groups = match.groupdict()
    kind = next(name for name in groups if groups[name] is not None and name not in _INNER_GROUPS)
    start, end = match.span()
    printed = match.group(0)
    if kind == "skip":
        return []
    if kind in ("iso", "dmy", "daymonth", "monthday", "monthyear"):
        moment = _moment(kind, printed, language)
        return [Found(moment, start, end)] if moment else []
    if kind == "clock":
        return _clock(printed, start, end)
    if kind == "quarter":
        year = re.search(r"(?:19|20)\d\d", printed)
        digit = re.search(r"(?<!\d)[1-4](?!\d)", printed)
        number = int(digit.group()) if digit else ORDINALS[re.split(r"[- ]", printed.lower())[0]]
        return [Found(Quarter(number, int(year.group()) if year else None), start, end)]
    if kind == "reference" and (number := _measured(text, match)):
        return _plain_number(text, number, language)
    if kind == "ordinalplace":
        return [Found(Identifier(str(ORDINALS[printed.lower().split()[0]]), "PARAGRAPH"), start, end)]
    if kind in ("reference", "standard", "act", "part", "outline"):
        return [Found(read_identifier(printed, outline=kind == "outline"), start, end)]
    if kind == "fraction":
        return _fraction(printed, start, end)
    if kind == "power":
        return _power(text, match, language)
    if kind == "identifier":
        return _mixed(text, printed, start, end, language)
    return _plain_number(text, match, language)


def _measured(text: str, match: re.Match[str]) -> re.Match[str] | None:
    """Return the number of what reads like a reference and has a unit: "noise level 71 dB(A)"."""
    digits = re.search(r"(?<=\s)\d+$", match.group(0))
    if digits is None or not _unit_at(text, match.end())[0]:
        return None
    number = PATTERN.match(text, match.start() + digits.start())
    return number if number is not None and number.group("number") is not None else None


_INNER_GROUPS = frozenset({"sep", "powersign", "exponent", "currency", "sign", "digits"})


def _moment(kind: str, printed: str, language: str) -> Moment | None:
    numbers = [int(n) for n in re.findall(r"\d+", printed)]
    if kind == "iso":
        readings = {(numbers[0], numbers[1], numbers[2])}
    elif kind == "dmy":
        first, second, year = numbers
        readings = {(year, second, first)} if second <= 12 else set[tuple[int, int, int]]()
        # Month first is an American habit; in the other languages the day always comes first.
        if first <= 12 and language in ("", "en"):
            readings.add((year, first, second))
    else:
        name = re.search(MONTH, printed, re.IGNORECASE)
        assert name is not None
        year = next((n for n in numbers if n > 1900), None)
        day = next((n for n in numbers if n <= 31), None)
        return Moment(frozenset({(year, MONTHS[name.group().lower()], day)}))
    valid = {r for r in readings if 1 <= r[1] <= 12 and 1 <= r[2] <= 31}
    return Moment(frozenset(valid)) if valid else None


def _clock(printed: str, start: int, end: int) -> list[Found]:
    match = re.match(r"(\d+)(?::(\d+))?", printed)
    assert match is not None
    hour, minute = int(match.group(1)), int(match.group(2) or 0)
    if hour > 24 or minute > 59:
        return []
    half = re.search(r"[ap](?=\.?m\b)", printed.lower())
    if half:
        hour = hour % 12 + (12 if half.group() == "p" else 0)
    return [Found(Clock(hour % 24, minute), start, end)]


def _fraction(printed: str, start: int, end: int) -> list[Found]:
    match = re.match(r"(?:(\d+)[ -])?(\d+)/(\d+)", printed)
    assert match is not None
    whole, above, below = int(match.group(1) or 0), int(match.group(2)), int(match.group(3))
    if below == 0:
        return []
    return [Found(Quantity(frozenset({whole + Decimal(above) / below}), unit="inch"), start, end)]


def _power(text: str, match: re.Match[str], language: str) -> list[Found]:
    digits = re.match(rf"[-+]?({NUMBER})", match.group(0))
    assert digits is not None
    exponent = int(match.group("exponent"))
    if abs(exponent) > 300:
        return []
    readings = frozenset(number.scaleb(exponent) for number in read_number(digits.group(1), language))
    if match.group("powersign") == "-":
        readings = frozenset(-number for number in readings)
    unit, end = _unit_at(text, match.end())
    return [Found(Quantity(readings, unit=unit), match.start(), end)]


def _mixed(text: str, printed: str, start: int, end: int, language: str) -> list[Found]:
    """Read a token of letters and digits: a number glued to its unit, or an identifier."""
    glued = GLUED.match(printed)
    before = _CURRENCY_BEFORE.search(text[max(0, start - 5) : start])
    if glued and glued.end() == len(printed):
        number, letters = glued.groups()
        readings = read_number(number.lstrip("+-"), language)
        scale = SCALES.get(letters.lower()) or (
            SYMBOL_SCALES.get(letters.lower()) if before or letters == "k" else None
        )
        if scale is not None:
            currency = currency_of(before.group(1)) if before else ""
            return [
                Found(
                    Quantity(frozenset(r.scaleb(scale) for r in readings), currency=currency, scale=scale), start, end
                )
            ]
        unit = GLUED_ONLY.get(letters.lower()) or _unit_named(letters)
        if letters == "s" and re.fullmatch(r"\d{2}0", number[-3:]) and len(number) in (3, 4):
            unit = "decade"
        if letters == "C":
            unit = "°C"
        if unit and readings:
            return [Found(Quantity(_signed(text, start, readings), unit=unit), start, end)]
    if _unit_named(printed):
        return []
    hyphened = HYPHENED.match(printed)
    if hyphened and hyphened.end() == len(printed) and hyphened.group(2).islower():
        readings = read_number(hyphened.group(1), language)
        unit = _unit_named(hyphened.group(2))
        stop = start + hyphened.end(2 if unit else 1)
        return [Found(Quantity(readings, unit=unit), start, stop)]
    scientific = re.fullmatch(r"(\d+(?:[.,]\d+)?)[eE]([-+]?\d{1,2})", printed)
    if scientific and ("." in printed or "," in printed or "-" in printed or "+" in printed):
        readings = frozenset(n.scaleb(int(scientific.group(2))) for n in read_number(scientific.group(1), language))
        unit, stop = _unit_at(text, end)
        return [Found(Quantity(readings, unit=unit), start, stop)]
    return [Found(read_identifier(printed), start, end)]


_CURRENCY_BEFORE = re.compile(r"(US\$|[$€£¥]|\b(?:EUR|USD|CHF|GBP))\s?-?$", re.IGNORECASE)


def _signed(text: str, start: int, readings: frozenset[Decimal]) -> frozenset[Decimal]:
    before = text[max(0, start - 2) : start]
    if before.endswith("-") and not re.match(r"[\w)%°]", before[:1] if len(before) == 2 else ""):
        return frozenset(-r for r in readings)
    return readings


def _plain_number(text: str, match: re.Match[str], language: str) -> list[Found]:
    digits = match.group("digits")
    readings = read_number(digits, language)
    if not readings:
        return []
    start = match.start()
    sign = (match.group("sign") or "").strip()
    if sign in ("-", "–"):
        before = text[:start].rstrip() if sign == "–" else text[:start]
        if match.group("currency") or not re.match(r"[\w)%°\"]", before[-1:]):
            readings = frozenset(-r for r in readings)
        else:
            start += len(match.group("sign"))
    currency = currency_of(match.group("currency")) if match.group("currency") else ""
    value, end = _with_tail(text, match.end("digits"), readings, currency)
    value = replace(value, tolerance=sign in ("±", "+/-"))
    found = [Found(value, start, end)]
    if " " in digits:
        # "100 200 300" in a flattened table may be three numbers.
        at = match.start("digits")
        groups = digits.split(" ")
        for index, group in enumerate(groups):
            last = index == len(groups) - 1
            part = replace(value, readings=read_number(group, language)) if last else Quantity(read_number(group))
            found.append(Found(part, at, end if last else at + len(group), parts=True))
            at += len(group) + 1
    return found


def _with_tail(text: str, at: int, readings: frozenset[Decimal], currency: str) -> tuple[Quantity, int]:
    """Take the scale word, currency and unit that follow a number; returns the value and where it ends."""
    end = at
    scale = 0
    match = SCALE_PATTERN.match(text, end)
    if match:
        scale = SCALES[match.group(1).lower()]
        end = match.end()
    elif currency:
        match = re.compile(r"\s?(k|mm|m|b|t)\b(?![/\w])", re.IGNORECASE).match(text, end)
        if match:
            scale = SYMBOL_SCALES[match.group(1).lower()]
            end = match.end()
    unit = ""
    if not currency:
        match = CURRENCY_PATTERN.match(text, end)
        if match:
            currency = currency_of(match.group(1))
            end = match.end()
        else:
            unit, end = _unit_at(text, end)
    if scale:
        readings = frozenset(r.scaleb(scale) for r in readings)
    return Quantity(readings, unit=unit, currency=currency, scale=scale), end


def _unit_at(text: str, at: int) -> tuple[str, int]:
    """Return the unit printed at ``at`` and where it ends; empty and ``at`` when there is none."""
    for pattern, unit in WORDED_UNITS:
        match = pattern.match(text, at)
        if match:
            return unit, match.end()
    if text[at : at + 1] == '"' or text[at : at + 2] == "''":
        # After an opened quotation the sign closes it; otherwise it stands for inches.
        opened = text.count('"', text.rfind("\n", 0, at) + 1, at) % 2 == 1
        if not opened:
            return "inch", at + (1 if text[at] == '"' else 2)
    match = UNIT_PATTERN.match(text, at)
    if not match:
        return "", at
    name = match.group(1)
    unit = _unit_named(name)
    spaced = match.group(0)[0] != name[0]
    if not unit or (spaced and name in NOT_AFTER_SPACE):
        return "", at
    return unit, match.end()


def _unit_named(name: str) -> str:
    return EXACT.get(name) or (FOLDED.get(name.casefold(), "") if len(name) > 1 else "")


def _spelled(text: str, found: list[Found], language: str) -> list[Found]:
    known = language if language in SPELLED else ""
    spelled: list[Found] = []
    taken = [(item.start, item.end) for item in found]
    for match in SPELLED_PATTERNS[known].finditer(text):
        start, end = match.span()
        if any(a < end and start < b for a, b in taken):
            continue
        word = match.group(1).lower()
        needs_unit = word in BEFORE_UNIT[known]
        number = BEFORE_UNIT[known][word] if needs_unit else SPELLED[known][word]
        if match.group(2):
            number *= 100 if match.group(2).lower() in ("hundred", "honderd") else 1000
        value, stop = _with_tail(text, end, frozenset({Decimal(number)}), "")
        if needs_unit and stop == end and not match.group(2):
            continue
        spelled.append(Found(replace(value, spelled=True), start, stop))
    return spelled


_AFFIRMED = re.compile(
    r"\b(?:is|are|has|have|holds|carries|ist|sind|hat|haben|trägt|zijn|heeft|hebben|draagt|est|sont|porte)"
    r"\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)
"""What stands before a certificate that a sentence gives to something: "the pump is fully"."""


def _certifications(text: str) -> list[Found]:
    found: list[Found] = []
    for match in CERTIFICATION.finditer(text):
        before = re.split(r"[.;:!?]\s|\n", text[max(0, match.start() - 40) : match.start()])[-1]
        after = re.split(r"[.;:!?](?:\s|$)|\n|,", text[match.end() : match.end() + 30])[0]
        if _AFFIRMED.search(before):
            # "is ATEX certified …": what is denied further on is another thing.
            after = " ".join(after.split()[:2])
        negated = bool(NEGATION.search(before) or NEGATION.search(after))
        name = match.group(0).upper().replace(" ", "")
        found.append(Found(Certification(name, negated), match.start(), match.end()))
    return found


def _ranged(text: str, found: list[Found]) -> list[Found]:
    """Hand the unit of a range's right end to its left one ("4–20 mA") and mark both ends."""
    done = list(found)
    for index in range(len(done) - 2, -1, -1):
        left, right = done[index], done[index + 1]
        if left.parts or right.parts or not (isinstance(left.value, Quantity) and isinstance(right.value, Quantity)):
            continue
        between = text[left.end : right.start]
        low, high = left.value, right.value
        spans = bool(JOINS_RANGE.fullmatch(between))
        bare = not low.unit and not low.currency
        if high.tolerance:
            if bare and high.unit != "%" and not between.strip():
                done[index] = replace(left, value=replace(low, unit=high.unit, currency=high.currency))
            continue
        if not spans and not SHARES_UNIT.fullmatch(between):
            continue
        if bare and (high.unit or high.currency):
            low = replace(low, unit=high.unit, currency=high.currency)
        if spans:
            if low.currency and not high.currency and not high.unit:
                high = replace(high, currency=low.currency)
            if min(low.readings) <= max(high.readings):
                low, high = replace(low, end="low"), replace(high, end="high")
        done[index], done[index + 1] = replace(left, value=low), replace(right, value=high)
    return done


def _toleranced(text: str, found: list[Found]) -> list[Found]:
    """Mark deviations said in words: "may deviate by 1 %", "afwijking ten hoogste 0,02 mm"."""
    done: list[Found] = []
    for index, item in enumerate(found):
        value = item.value
        if isinstance(value, Quantity) and (value.unit or value.currency):
            last = found[index - 1].end if index else 0
            following = found[index + 1].start if index + 1 < len(found) else len(text)
            if DEVIATES_BEFORE.search(text[last : item.start]) or DEVIATES_AFTER.match(text[item.end : following]):
                item = replace(item, value=replace(value, tolerance=True, bound=""))
        done.append(item)
    return done


def _bounded(text: str, found: list[Found]) -> list[Found]:
    return [
        replace(item, value=replace(item.value, bound=bound))
        if isinstance(item.value, Quantity) and (bound := _bound_of(text, item))
        else item
        for item in found
    ]


def _bound_of(text: str, item: Found) -> Bound:
    before = text[max(0, item.start - 48) : item.start]
    for bound, pattern in BOUNDS_BEFORE:
        if match := pattern.search(before):
            return DENIED_BOUNDS.get(bound, bound) if DENIES_BOUND.search(before[: match.start()]) else bound
    for bound, pattern in BOUNDS_AFTER:
        if pattern.match(text, item.end):
            return bound
    return ""


# ---------------------------------------------------------------- identifiers

_PREFIX_KINDS = {
    **{word.upper(): kind for word, kind in {**SECTION_WORDS, **NAMED}.items()},
    **{word: word for word in STANDARDS},
    "FIPSPUB": "FIPS",
}
_PREFIX = re.compile("|".join(sorted(map(re.escape, _PREFIX_KINDS), key=len, reverse=True)))
SECTION_KINDS = frozenset(SECTION_WORDS.values())
"""Prefixes that name a place in a document rather than a thing."""


@lru_cache(maxsize=65536)
def read_identifier(printed: str, *, outline: bool = False) -> Identifier:
    """Return the identifier that ``printed`` is, in one spelling.

    >>> read_identifier("Artikel 12") == read_identifier("Article 12"), read_identifier("AC-17(4)")
    (True, Identifier(core='AC17(4)', prefix=''))
    """
    compact = re.sub(r"\s", "", printed.upper())
    match = _PREFIX.match(compact)
    prefix = ""
    if match and match.end() < len(compact):
        rest = compact[match.end() :].lstrip("-.:")
        if re.match(r"\d|[IVX]+$|[A-Z](?:[.-]\d|$)", rest):
            compact, prefix = rest, _PREFIX_KINDS[match.group()]
    if outline:
        prefix = "SECTION"
    # Hyphens between digits tell part numbers apart (32-3, 323); next to a letter they are a habit of print.
    core = re.sub(r"(?<![0-9])[-_]|[-_](?![0-9])", "", compact)
    return Identifier(core, prefix)
