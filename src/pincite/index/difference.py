"""Two revisions of a document → what changed in its sections and tables; two releases → in their documents. Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Literal, TypeAlias

from pincite.index.alignment import align, best_first, in_order, only_once, overlap
from pincite.index.content import Content, SectionText, Sentence, comparable
from pincite.index.table_difference import TablesDifference, compare_tables
from pincite.types import Release, Revision, SectionPath

LEAST_ALIKE = 0.5
"""Share of runs of three words that two sections have in common from which they are the same one; half of it with the
same words in the title. A guess."""
LEAST_SENTENCE = 0.4
"""Share of words from which a sentence is another one, edited. A guess: below it, marks on words say nothing."""
LEAST_TITLE = 0.6
"""Share of words, the number one of them, from which two sections below the same one are the same. A guess."""
RUN = 3
"""Words of a run; one that stands in more than ``COMMON`` sections tells none of them."""
COMMON = 20

_HEAD = 8
"""Characters by which sentences are looked up; shorter ones are not parted."""

Word: TypeAlias = tuple[Literal["same", "removed", "added"], str]
Kind: TypeAlias = Literal["renamed", "renumbered", "moved", "changed"]

_WORD = re.compile(r"[\w.]*\w")
_LABEL = re.compile(
    r"^(?:(?:article|artikel|art\.|§+|section|abschnitt|chapter|hoofdstuk|kapitel|appendix|annex|annexe|anlage|bijlage|part|"
    r"teil|clause)\s*[A-Z0-9][\w.\-]*[.:)]?|\(?\d[\w.\-()]*|[A-Z](?:[.\-]\d+)+[.)]?|[A-Z][.)]|[IVXLC]+[.)])(?:\s+|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SectionAt:
    """A section and the sheet of its heading."""

    path: SectionPath
    page: int | None


@dataclass(frozen=True, slots=True)
class LooseSection:
    """A section that only one revision has."""

    path: SectionPath
    page: int | None
    text: str
    """Its own sentences that the other revision does not have anywhere."""


@dataclass(frozen=True, slots=True)
class TextChange:
    """Sentences that changed together; ``was`` or ``now`` is "" where there is nothing."""

    was: str
    now: str
    page_was: int | None
    page_now: int | None
    words: tuple[Word, ...]
    """Runs of words, in the order in which they are read; together they give both texts."""


@dataclass(frozen=True, slots=True)
class SectionChange:
    """A section that both revisions have and that differs."""

    was: SectionAt
    now: SectionAt
    kinds: tuple[Kind, ...]
    """``renamed``: the words of its title; ``renumbered``: its number alone; ``moved``: what it stands below, or its
    place among its neighbours; ``changed``: its text. A subsection of a moved section has not moved itself."""
    text: tuple[TextChange, ...]


@dataclass(frozen=True, slots=True)
class ContentDifference:
    added: tuple[LooseSection, ...]
    removed: tuple[LooseSection, ...]
    sections: tuple[SectionChange, ...]
    sentences_moved: int
    """Sentences that stand in another section, unchanged: they count as no change of either."""
    tables: TablesDifference

    @property
    def is_empty(self) -> bool:
        tables = self.tables
        return not (self.added or self.removed or self.sections or tables.added or tables.removed or tables.changed)


@dataclass(frozen=True, slots=True)
class DocumentAt:
    """The revision that answers for a document in a release."""

    document: str
    source: str
    title: str
    revision: str
    sha256: str
    standing: str
    language: str


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document of both releases with another revision, or of another standing."""

    was: DocumentAt
    now: DocumentAt
    content: ContentDifference | None
    """None when the bytes are the same, or ``unread`` says why they could not be compared."""
    unread: str = ""


@dataclass(frozen=True, slots=True)
class ReleaseDifference:
    was: str
    now: str
    added: tuple[DocumentAt, ...]
    dropped: tuple[DocumentAt, ...]
    changed: tuple[DocumentChange, ...]
    unchanged: int
    """Documents of both releases with the same bytes and standing."""

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.dropped or self.changed)


# ---------------------------------------------------------------- releases


def compare_releases(
    was: Release,
    now: Release,
    content: Callable[[Revision], Content | str],
    on_document: Callable[[], None] = lambda: None,
) -> ReleaseDifference:
    """Return what changed from one release to another.

    Of each document, the best standing in each release is compared (of the same standing the one named last), and one
    of another language is another document. What has the same bytes is not read.

    Args:
        content: revision → what it says, or why it cannot be read. Asked for documents with other bytes only.
    """
    before, after = _heads(was), _heads(now)
    changed: list[DocumentChange] = []
    for key in sorted(before.keys() & after.keys()):
        a, b = before[key], after[key]
        if a.sha256 != b.sha256:
            one, two = content(a), content(b)
            unread = next((side for side in (one, two) if isinstance(side, str)), "")
            said = None if isinstance(one, str) or isinstance(two, str) else compare_contents(one, two)
            changed.append(DocumentChange(_document(a), _document(b), said, unread))
        elif a.standing != b.standing:
            changed.append(DocumentChange(_document(a), _document(b), None))
        on_document()
    return ReleaseDifference(
        was.id,
        now.id,
        tuple(_document(after[key]) for key in sorted(after.keys() - before.keys())),
        tuple(_document(before[key]) for key in sorted(before.keys() - after.keys())),
        tuple(changed),
        len(before.keys() & after.keys()) - len(changed),
    )


def _heads(release: Release) -> dict[tuple[str, str], Revision]:
    order = {"rejected": 0, "readable": 1, "citable": 2}
    ranked = sorted(release.revisions, key=lambda r: (order[r.standing], r.revision, r.source, r.sha256))
    return {(r.document, r.language): r for r in ranked}


def _document(revision: Revision) -> DocumentAt:
    return DocumentAt(
        revision.document,
        revision.source,
        revision.title,
        revision.revision,
        revision.sha256,
        revision.standing,
        revision.language,
    )


# ---------------------------------------------------------------- one document


def compare_contents(was: Content, now: Content) -> ContentDifference:
    """Return what changed from one revision to another; nothing of a revision and itself."""
    one, two = [_Node(s) for s in was.sections], [_Node(s) for s in now.sections]
    _hang(one)
    _hang(two)
    pairs = _matched(one, two)
    back = {j: i for i, j in pairs.items()}
    texts = {j: _Text(one[i].section.sentences, two[j].section.sentences) for i, j in pairs.items()}
    only_was = {i: _Text(node.section.sentences, ()) for i, node in enumerate(one) if i not in pairs}
    only_now = {j: _Text((), node.section.sentences) for j, node in enumerate(two) if j not in back}
    every = [*texts.values(), *only_was.values(), *only_now.values()]
    # A heading that one revision's sections do not have may be a line of text in it.
    gone = Counter(s.key for t in every for s in t.gone) + Counter(comparable(one[i].section.title) for i in only_was)
    come = Counter(s.key for t in every for s in t.come) + Counter(comparable(two[j].section.title) for j in only_now)
    both = gone & come
    left_was, left_now = both.copy(), both.copy()
    for text in every:
        text.settle(left_was, left_now)
    parted = _parted_elsewhere(
        [
            s
            for i, node in enumerate(one)
            for s in _left(node, texts[pairs[i]] if i in pairs else None, only_was.get(i))
        ],
        [s for j, node in enumerate(two) for s in _left(node, texts.get(j), only_now.get(j), now=True)],
    )
    for text in every:
        text.finish(parted)
    both |= Counter(comparable(s.text) for s in parted.values())
    moved = _moved(one, two, pairs)
    changes: list[SectionChange] = []
    for j in sorted(back):
        a, b = one[back[j]].section, two[j].section
        kinds = _title_kinds(a.title, b.title)
        if j in moved:
            kinds.append("moved")
        if texts[j].changes:
            kinds.append("changed")
        if kinds:
            at = (SectionAt(a.path, a.page), SectionAt(b.path, b.page))
            changes.append(SectionChange(*at, tuple(kinds), texts[j].changes))
    same_section = {one[i].section.path: two[j].section.path for i, j in pairs.items()}
    return ContentDifference(
        added=tuple(
            _loose(two[j].section, t.come) for j, t in only_now.items() if _stays(two[j].section, t.come, both)
        ),
        removed=tuple(
            _loose(one[i].section, t.gone) for i, t in only_was.items() if _stays(one[i].section, t.gone, both)
        ),
        sections=tuple(changes),
        sentences_moved=sum(text.elsewhere for text in every),
        tables=compare_tables(was.tables, now.tables, same_section),
    )


def _left(node: _Node, paired: _Text | None, alone: _Text | None, *, now: bool = False) -> list[Sentence]:
    """Return what is left of a section of one side, in order, with its heading where the other side has no such one."""
    text = paired or alone
    assert text is not None
    heading = [Sentence(node.section.title, node.section.page)] if alone and node.section.title else []
    return [*heading, *(text.come if now else text.gone)]


def _parted_elsewhere(gone: Sequence[Sentence], come: Sequence[Sentence]) -> dict[int, Sentence]:
    """Return, by identity, the sentences that one side has in one piece and the other in several, with the same words.

    A heading without white below it runs into its paragraph, and what a page break parts is one paragraph elsewhere.
    """
    found: dict[int, Sentence] = {}
    for one, other in ((gone, come), (come, gone)):
        keys = [s.key for s in other]
        whole = "".join(keys)
        ends = {end: k for k, end in enumerate(accumulate(map(len, keys)), 1)}
        begins: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for k, at in enumerate(accumulate(map(len, keys), initial=0)):
            begins[whole[at : at + _HEAD]].append((k, at))
        for sentence in one:
            key = sentence.key
            if len(key) < _HEAD or id(sentence) in found:
                continue
            for k, at in begins[key[:_HEAD]]:
                if whole.startswith(key, at) and (stop := ends.get(at + len(key))):
                    found |= {id(s): s for s in (sentence, *other[k:stop])}
                    break
    return found


def _stays(section: SectionText, sentences: Sequence[Sentence], both: Counter[str]) -> bool:
    """Say whether a section of one revision is news: not a heading that is a line of text in the other."""
    return bool(sentences) or (bool(section.path) and comparable(section.title) not in both)


def _loose(section: SectionText, sentences: Sequence[Sentence]) -> LooseSection:
    return LooseSection(section.path, section.page, " ".join(s.text for s in sentences))


def _title_kinds(was: str, now: str) -> list[Kind]:
    if comparable(was) == comparable(now):
        return []
    kind: Kind = "renumbered" if _words(was) == _words(now) else "renamed"
    return [kind]


def _words(title: str) -> str:
    """Return a title without its number; the number where there is nothing else."""
    return comparable(title[match.end() :] or title if (match := _LABEL.match(title)) else title).casefold()


# ---------------------------------------------------------------- which section is which


@dataclass(slots=True)
class _Node:
    section: SectionText
    parent: int | None = None
    children: list[int] = field(default_factory=list[int])


def _hang(nodes: list[_Node]) -> None:
    """Fill in what each section stands below: the last one before it with its path but for the end."""
    last: dict[SectionPath, int] = {}
    for i, node in enumerate(nodes):
        path = node.section.path
        node.parent = next((last[path[:n]] for n in range(len(path) - 1, 0, -1) if path[:n] in last), None)
        if node.parent is not None:
            nodes[node.parent].children.append(i)
        last[path] = i


def _matched(one: Sequence[_Node], two: Sequence[_Node]) -> dict[int, int]:
    """Return which section now each section before is: by path, then by title, then by text."""
    pairs: dict[int, int] = {}

    def pair(key: Callable[[_Node, int], object]) -> None:
        """Pair the sections that are left and of which the key comes once on either side; None is no key."""
        left = [i for i in range(len(one)) if i not in pairs]
        taken = set(pairs.values())
        right = [j for j in range(len(two)) if j not in taken]
        ours = only_once([key(one[i], i) or ("", i) for i in left])
        theirs = only_once([key(two[j], j) or (" ", j) for j in right])
        pairs.update({left[i]: right[theirs[k]] for k, i in ours.items() if k in theirs})

    numbered = {id(node): n for nodes in (one, two) for node, n in _numbered(nodes)}
    pair(lambda node, _: (tuple(map(comparable, node.section.path)), numbered[id(node)]))
    pair(lambda node, _: comparable(node.section.title))
    pair(lambda node, _: _words(node.section.title) if len(_words(node.section.title)) > 8 else None)
    _below(one, two, pairs)
    _by_title(one, two, pairs)
    _by_text(one, two, pairs)
    _below(one, two, pairs)
    return pairs


def _numbered(nodes: Sequence[_Node]) -> list[tuple[_Node, int]]:
    """Number the sections of each path: two may be called "Note"."""
    seen: Counter[SectionPath] = Counter()
    out: list[tuple[_Node, int]] = []
    for node in nodes:
        seen[node.section.path] += 1
        out.append((node, seen[node.section.path]))
    return out


def _below(one: Sequence[_Node], two: Sequence[_Node], pairs: dict[int, int]) -> None:
    """Pair the subsections of paired sections that have the same title, or the same but for the number."""
    taken = set(pairs.values())
    for i in range(len(one)):  # parents come before their children
        if i not in pairs:
            continue
        for of in (comparable, _words):
            left = [c for c in one[i].children if c not in pairs]
            right = [c for c in two[pairs[i]].children if c not in taken]
            ours = only_once([of(one[c].section.title) for c in left])
            theirs = only_once([of(two[c].section.title) for c in right])
            found = {left[k]: right[theirs[title]] for title, k in ours.items() if title in theirs}
            pairs.update(found)
            taken |= set(found.values())


def _by_title(one: Sequence[_Node], two: Sequence[_Node], pairs: dict[int, int]) -> None:
    """Pair the sections that are left, stand below the same one and are called much the same."""
    taken = set(pairs.values())
    left = [i for i in range(len(one)) if i not in pairs and one[i].section.title]
    right = [j for j in range(len(two)) if j not in taken and two[j].section.title]
    scored: list[tuple[float, int, int]] = []
    for i in left:
        for j in right:
            up, over = one[i].parent, two[j].parent
            if over != (None if up is None else pairs.get(up, -1)):
                continue
            a, b = one[i].section.title, two[j].section.title
            alike = overlap(Counter(_WORD.findall(a.casefold())), Counter(_WORD.findall(b.casefold())))
            if alike >= LEAST_TITLE:
                scored.append((alike, i, j))
    pairs.update(best_first(scored))


def _by_text(one: Sequence[_Node], two: Sequence[_Node], pairs: dict[int, int]) -> None:
    """Pair the sections that are left and say much the same."""
    taken = set(pairs.values())
    left = {i: _runs(one[i].section) for i in range(len(one)) if i not in pairs}
    right = {j: _runs(two[j].section) for j in range(len(two)) if j not in taken}
    holding: dict[str, list[int]] = defaultdict(list)
    for j, runs in right.items():
        for run in runs:
            holding[run].append(j)
    scored: list[tuple[float, int, int]] = []
    for i, runs in left.items():
        near = {j for run in runs if len(holding[run]) <= COMMON for j in holding[run]}
        for j in near:
            titled = _words(one[i].section.title) == _words(two[j].section.title)
            least = LEAST_ALIKE / 2 if titled else LEAST_ALIKE
            lengths = runs.total(), right[j].total()
            if 2 * min(lengths) < least * sum(lengths):
                continue  # more than they can have in common
            if (alike := overlap(runs, right[j])) >= least:
                scored.append((alike + titled * 0.3, i, j))
    pairs.update(best_first(scored))


def _runs(section: SectionText) -> Counter[str]:
    words = " ".join(s.text for s in section.sentences).casefold().split()
    return Counter(" ".join(words[k : k + RUN]) for k in range(max(len(words) - RUN + 1, 0)))


def _moved(one: Sequence[_Node], two: Sequence[_Node], pairs: dict[int, int]) -> set[int]:
    """Return the sections now that stand below another one than before, or elsewhere among those they stood with."""
    back = {j: i for i, j in pairs.items()}
    moved: set[int] = set()
    for j, i in back.items():
        was, now = one[i].parent, two[j].parent
        # What stood below a section that is gone, or stands below a new one, has not moved by that alone.
        if was is not None and now is not None and was in pairs and now in back and pairs[was] != now:
            moved.add(j)
    for children in [[k for k, node in enumerate(two) if node.parent is None], *(node.children for node in two)]:
        stayed = [j for j in children if j in back and j not in moved]
        kept = in_order([back[j] for j in stayed])
        moved |= {j for k, j in enumerate(stayed) if k not in kept}
    return moved


# ---------------------------------------------------------------- text


class _Text:
    """The sentences of one section in two revisions; `settle` takes out those that merely stand elsewhere now."""

    def __init__(self, was: Sequence[Sentence], now: Sequence[Sentence]) -> None:
        matcher = SequenceMatcher(None, [s.key for s in was], [s.key for s in now], autojunk=False)
        blocks = [(was[i0:i1], now[j0:j1]) for tag, i0, i1, j0, j1 in matcher.get_opcodes() if tag != "equal"]
        # Sentences that are parted elsewhere only, as the end of a line told, are the same.
        self._blocks = [(a, b) for a, b in blocks if _joined(a) != _joined(b)]
        self.changes: tuple[TextChange, ...] = ()
        self.elsewhere = 0
        """Sentences before that stand in another place now."""

    @property
    def gone(self) -> list[Sentence]:
        return [s for was, _ in self._blocks for s in was]

    @property
    def come(self) -> list[Sentence]:
        return [s for _, now in self._blocks for s in now]

    def settle(self, both_was: Counter[str], both_now: Counter[str]) -> None:
        """Take out, and off the counts, what both went and came."""
        before = len(self.gone)
        left = [(_without(a, both_was), _without(b, both_now)) for a, b in self._blocks]
        self._blocks: list[tuple[Sequence[Sentence], Sequence[Sentence]]] = [(a, b) for a, b in left if a or b]
        self.elsewhere = before - len(self.gone)

    def finish(self, parted: Mapping[int, Sentence]) -> None:
        """Take out what is merely parted elsewhere, by identity; the rest is what changed."""
        left = [([s for s in a if id(s) not in parted], [s for s in b if id(s) not in parted]) for a, b in self._blocks]
        self._blocks = [(a, b) for a, b in left if a or b]
        self.changes = tuple(change for a, b in self._blocks for change in _changes(a, b))


def _without(sentences: Sequence[Sentence], counts: Counter[str]) -> list[Sentence]:
    left: list[Sentence] = []
    for sentence in sentences:
        if counts[sentence.key] > 0:
            counts[sentence.key] -= 1
        else:
            left.append(sentence)
    return left


def _joined(sentences: Sequence[Sentence]) -> str:
    return "".join(s.key for s in sentences)


def _changes(was: Sequence[Sentence], now: Sequence[Sentence]) -> list[TextChange]:
    """Return the changes of one stretch: a sentence beside what became of it, what only went or came together."""
    words_was, words_now = [Counter(s.text.split()) for s in was], [Counter(s.text.split()) for s in now]

    def score(i: int, j: int) -> float:
        alike = overlap(words_was[i], words_now[j])
        return alike if alike >= LEAST_SENTENCE else 0.0

    groups: list[tuple[list[Sentence], list[Sentence]]] = []
    before = ""
    for i, j in align(len(was), len(now), score):
        kind = "removed" if j is None else "added" if i is None else "edited"
        if kind == "edited" or kind != before:
            groups.append(([], []))
        groups[-1][0].extend([was[i]] if i is not None else [])
        groups[-1][1].extend([now[j]] if j is not None else [])
        before = kind
    return [_change(a, b) for a, b in groups if _joined(a) != _joined(b)]


def _change(was: Sequence[Sentence], now: Sequence[Sentence]) -> TextChange:
    one, two = (" ".join(s.text for s in sentences) for sentences in (was, now))
    return TextChange(
        one, two, was[0].page if was else None, now[0].page if now else None, tuple(marked_words(one, two))
    )


def marked_words(was: str, now: str) -> list[Word]:
    """Return what went and came between two texts, word by word, in the order of reading."""
    one, two = was.split(), now.split()
    marked: list[Word] = []
    keys = [comparable(word) for word in one], [comparable(word) for word in two]
    for tag, i0, i1, j0, j1 in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        if tag == "equal" or "".join(keys[0][i0:i1]) == "".join(keys[1][j0:j1]):
            marked.append(("same", " ".join(two[j0:j1])))
            continue
        if i1 > i0:
            marked.append(("removed", " ".join(one[i0:i1])))
        if j1 > j0:
            marked.append(("added", " ".join(two[j0:j1])))
    return marked
