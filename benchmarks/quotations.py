"""How often the built-in model quotes the right thing: gold strings in the draft, refusals right and wrong.

    python benchmarks/quotations.py CASES.jsonl PDF_OR_FOLDER... [--dense] [--show] [-k 10]

Cases in the format of the interfaces page. A plain BM25 stands in for retrieval, so figures are about the choice among
passages; "in passages" says for how many cases the gold strings were there to be chosen. Parsed chunks are kept in a
cache beside the system's temporary files.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import pickle
import re
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite.answer.select import Draft, compose
from pincite.answer.select.words import forms, is_function_word, normalise, words_in
from pincite.types import Chunk, Passage, Revision

Similarity = Callable[[str, Sequence[str]], Sequence[float]]


@dataclass
class Ranking:
    """BM25 (k1 1.2, b .6) over chunks with their titles; stems of the chunk's own language."""

    passages: list[tuple[Revision, Chunk]]
    k1: float = 1.2
    b: float = 0.6
    postings: dict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    lengths: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        for index, (revision, chunk) in enumerate(self.passages):
            counts = Counter(bag(f"{revision.title} {chunk.embedded_text}", revision.language))
            self.lengths.append(sum(counts.values()))
            for word, count in counts.items():
                self.postings[word].append((index, count))

    def search(self, question: str, k: int) -> tuple[Passage, ...]:
        count = len(self.passages)
        mean = sum(self.lengths) / max(count, 1)
        scores: dict[int, float] = defaultdict(float)
        wanted = {form for code in ("en", "nl", "de", "fr") for form in bag(question, code)}
        for word in wanted:
            found = self.postings.get(word, [])
            idf = math.log(1 + (count - len(found) + 0.5) / (len(found) + 0.5))
            for index, n in found:
                scores[index] += (
                    idf * n * (self.k1 + 1) / (n + self.k1 * (1 - self.b + self.b * self.lengths[index] / mean))
                )
        best = sorted(scores, key=lambda i: -scores[i])[:k]
        return tuple(
            Passage(str(i), self.passages[i][0], self.passages[i][1], rank, scores[i]) for rank, i in enumerate(best, 1)
        )


def bag(text: str, language: str) -> list[str]:
    """Word forms of a text, each printed word once per form."""
    return [
        form
        for match in words_in(normalise(text))
        if not is_function_word(match.group(), language)
        for form in forms(match.group(), language)
    ]


def read(files: Sequence[Path]) -> list[tuple[Revision, Chunk]]:
    """Chunks of PDFs by the corpus room, cached by the files' bytes and the room's source."""
    import pincite.corpus as room
    from pincite.corpus.chunks import cut
    from pincite.corpus.pdf import read_pdf

    code = hashlib.sha256(b"".join(p.read_bytes() for p in sorted(Path(room.__path__[0]).glob("*.py")))).hexdigest()[
        :12
    ]
    folder = Path(tempfile.gettempdir()) / f"pincite-select-{code}"
    folder.mkdir(exist_ok=True)
    found: list[tuple[Revision, Chunk]] = []
    for file in files:
        data = file.read_bytes()
        sha = hashlib.sha256(data).hexdigest()
        stored = folder / f"{sha}.pickle"
        if not stored.exists():
            document = read_pdf(data, file.name)
            chunks = cut(document, fits=lambda text: len(text) < 2200)
            revision = Revision(file.stem, file.name, sha[:8], sha, document.title, document.language, "citable")
            stored.write_bytes(pickle.dumps([(revision, chunk) for chunk in chunks]))
        found += pickle.loads(stored.read_bytes())
    return found


def matches(alternatives: Sequence[str], text: str) -> bool:
    """Whether one of the gold strings stands in the text, white space and case aside, on token boundaries."""
    flat = _flat(text)
    return any(re.search(rf"(?<!\w){re.escape(_flat(a))}(?!\w)", flat) for a in alternatives)


def _flat(text: str) -> str:
    return " ".join(text.replace("μ", "µ").lower().split())


@dataclass
class Outcome:
    case: dict[str, Any]
    draft: Draft
    page_hit: bool
    in_passages: bool
    in_answer: bool
    forbidden: bool
    milliseconds: float


def run(case: dict[str, Any], passages: Sequence[Passage], similarity: Similarity | None) -> Outcome:
    started = time.perf_counter()
    draft = compose(case["question"], passages, similarity=similarity)
    took = 1000 * (time.perf_counter() - started)
    # A row is said as its reading; the table that is shown beside it is not counted.
    said = "\n".join(s.reading or s.text for s in draft.sentences)
    there = "\n".join(f"{p.chunk.text}\n{p.chunk.embedded_text}".replace(" | ", " ") for p in passages)
    gold = case.get("gold_all_of") or []
    places = [(e["source"], {e.get("page"), *e.get("also_on_pages", ())}) for e in case.get("evidence") or []]
    hit = any(
        p.revision.source == source and set(p.chunk.pages[:2]) & pages for p in passages for source, pages in places
    )
    return Outcome(
        case,
        draft,
        hit,
        bool(gold) and all(matches(g, there) for g in gold),
        bool(gold) and all(matches(g, said) for g in gold),
        any(matches([m], said) for m in case.get("must_not") or ()),
        took,
    )


def report(outcomes: Sequence[Outcome], *, show: bool) -> None:
    for title, chosen in (
        ("answered", [o for o in outcomes if o.case["expected"] == "answered"]),
        ("refused", [o for o in outcomes if o.case["expected"] != "answered"]),
    ):
        n = len(chosen)
        if not n:
            continue
        wrong = sum(not o.draft.refused and not o.in_answer for o in chosen)
        print(
            f"{title}: n {n}; page in passages {sum(o.page_hit for o in chosen)}; gold in passages "
            f"{sum(o.in_passages for o in chosen)}; gold in answer {sum(o.in_answer for o in chosen)}; "
            f"refused {sum(o.draft.refused for o in chosen)}; answered without gold {wrong}; "
            f"forbidden {sum(o.forbidden for o in chosen)}"
        )
        for kind in sorted({(o.case["kind"], o.case["language"]) for o in chosen}):
            group = [o for o in chosen if (o.case["kind"], o.case["language"]) == kind]
            good = sum(o.draft.refused if title == "refused" else o.in_answer for o in group)
            print(f"   {' '.join(kind):28} {good} of {len(group)}")
    if outcomes:
        print(f"median {sorted(o.milliseconds for o in outcomes)[len(outcomes) // 2]:.0f} ms")
    for o in outcomes if show else ():
        right = o.draft.refused if o.case["expected"] != "answered" else o.in_answer
        print(f"\n{'ok ' if right else 'BAD'} {o.case['id']} {o.case['question']}  gold {o.case.get('gold_all_of')}")
        print(f"    page hit {o.page_hit}, gold in passages {o.in_passages}, {o.draft.reason} {list(o.draft.missing)}")
        for s in o.draft.sentences:
            print(f"    {s.score:.2f} [{s.passage}] {s.kind}: {s.text[:160]}  {{{s.reading[:100]}}}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=Path)
    parser.add_argument("pdfs", type=Path, nargs="+")
    parser.add_argument("--dense", action="store_true", help="let the embedded encoder judge the best pieces")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("-k", type=int, default=10)
    arguments = parser.parse_args()
    files = [f for path in arguments.pdfs for f in (sorted(path.rglob("*.pdf")) if path.is_dir() else [path])]
    cases = [json.loads(line) for line in arguments.cases.read_text().splitlines() if line.strip()]
    names = {f.name for f in files}
    cases = [
        c for c in cases if all(e["source"] in names for e in c.get("evidence") or ()) or c["expected"] != "answered"
    ]
    similarity: Similarity | None = None
    if arguments.dense:
        from pincite.index.embed import Encoder, prepare

        similarity = Encoder(prepare()).similarity

    ranking = Ranking(read(files))
    report([run(c, ranking.search(c["question"], arguments.k), similarity) for c in cases], show=arguments.show)


if __name__ == "__main__":
    main()
