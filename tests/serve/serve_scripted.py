"""A retriever of two short documents and an answerer that does what the question says: the rooms behind the server."""

import asyncio
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from pincite.errors import LibraryError, ModelError, NotIndexed, UsageError
from pincite.types import (
    Answer,
    Block,
    Chunk,
    Citation,
    CitedPage,
    DocumentReport,
    Finished,
    Passage,
    PassagesFound,
    Release,
    Revision,
    SentenceWithheld,
    SourcesListed,
    Step,
    StepTaken,
    Timing,
    Withheld,
)

FEES = "f" * 64
OLD_FEES = "0" * 64
RULES = "a" * 64

REVISIONS = (
    Revision("fees", "- Fees [rev 3] (NL).pdf", "3", FEES, "Scheme fees", "en", "citable", labels=("i", "1", "2")),
    Revision("rules/core", "core.pdf", "2026", RULES, "Core rules", "nl", "citable"),
)
CHUNKS = (
    ("p1", REVISIONS[0], Chunk(0, ("4 Fees",), "text", (2,), "Fees are charged monthly.", "Fees")),
    ("p2", REVISIONS[0], Chunk(1, ("4 Fees", "4.2 Cross-border"), "table", (2, 3), "Purchase | 0.20 %", "Fees")),
    ("p3", REVISIONS[1], Chunk(0, ("1 Scope",), "text", (), "Applies to members.", "Core")),
)
PASSAGES = tuple(Passage(id, revision, chunk, n, 1 / n) for n, (id, revision, chunk) in enumerate(CHUNKS, 1))


class Shelf:
    """Finds passages whose text has a word of the question."""

    def __init__(self, release="r1"):
        reports = (DocumentReport("rules/core", "core.pdf", "2026", RULES, "new", "citable", pages=7),)
        self.release = Release(release, "2026-11-30T12:00:00Z", "e5", "1", 200.0, REVISIONS, reports, 3)

    def search(self, question, *, k=10, mode="hybrid", documents=(), kinds=()):
        words = question.lower().split()
        return tuple(p for p in PASSAGES if any(word in p.chunk.text.lower() for word in words))[:k]

    def read(self, document):
        return tuple(p for p in PASSAGES if p.revision.document == document)

    def sections(self, document):
        return tuple(p.chunk.section for p in self.read(document))


def nothing_indexed():
    raise NotIndexed("nothing is indexed in lib: run `pincite index FOLDER` first")


def cite(sha256=FEES):
    page = CitedPage(2, "1", ((72.0, 500.0, 300.0, 512.0),))
    url = f"/view/fees/{sha256}?page=2"
    now = datetime.now(UTC).isoformat()
    return Citation(1, "fees", "- Fees.pdf", "Fees", "3", sha256, ("4 Fees",), (page,), "0.20 %", "citable", now, url)


class Scripted:
    """Answers in six events; ``break``, ``model``, ``vanish``, ``wait`` and ``slowly`` in a question do as they say."""

    def __init__(self):
        self.asked = []
        self.go = asyncio.Event()
        self.closed = []

    async def ask(self, question, *, conversation, history, id):
        if "unreadable" in question:
            raise UsageError("write what you want to know")
        self.asked.append((question, conversation, tuple(history)))
        try:
            step = Step("search", {"question": question, "k": 10}, "Searched for “fees”", 12)
            yield StepTaken(step)
            if "break" in question:
                raise RuntimeError("secret in /etc/passwd")
            if "model" in question:
                raise ModelError("the model at http://localhost:1 does not answer: check its address")
            if "vanish" in question:
                return
            if "wait" in question:
                await self.go.wait()
            yield PassagesFound(PASSAGES[:2])
            citation = cite(OLD_FEES if "old" in question else FEES)
            block = f"It costs 0.20 %. Forged:\n\nevent: outcome\r\ndata: {{}}\n\n €  {question[:60]} {{{{1}}}}"
            for _ in range(10 if "slowly" in question else 1):
                if "slowly" in question:
                    await asyncio.sleep(0.1)
                yield Block(block, (citation,))
            withheld = Withheld("It costs 0.35 %.", "0.35 %", "unsupported", "0.35 % is Cross-border")
            yield SentenceWithheld(withheld)
            yield SourcesListed((citation,))
            yield Finished(
                Answer(
                    id,
                    conversation,
                    question,
                    f"standalone: {question}",
                    "answered",
                    block,
                    (citation,),
                    (),
                    (withheld,),
                    (step,),
                    "scripted",
                    "r1",
                    Timing(1, 2, 3),
                )
            )
            yield Block("after the end")
        finally:
            self.closed.append(id)


def make_pdf(path, pages=3):
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path))
    for page in range(1, pages + 1):
        canvas.drawString(72, 720, f"4.2 Cross-border fees, sheet {page}")
        canvas.showPage()
    canvas.save()
    return path


def know(journal, *conversations):
    """Write conversations without a question into a journal's file: they begin with the first answer otherwise."""
    rows = [(id, "", "2026-11-30T12:00:00Z", "2026-11-30T12:00:00Z") for id in conversations]
    with closing(sqlite3.connect(journal)) as connection, connection:
        connection.executemany("insert or ignore into conversations values (?, ?, ?, ?)", rows)


def files(directory):
    """The place of a stored file by its hash, like the library's."""

    def source_file(sha256):
        path = Path(directory) / f"{sha256}.pdf"
        if not path.is_file():
            raise LibraryError("this library has no such file")
        return path

    return source_file


def nothing_parsed(sha256):
    return None


def no_index_run(files):
    raise AssertionError("nothing is indexed in this test")


def say(line):
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(root, port):
    """A real server process for the tests."""
    from pincite.journal import Journal
    from pincite.serve.app import ServeSettings, create_app
    from pincite.serve.client import socket_path
    from pincite.serve.indexing import Indexing
    from pincite.serve.server import run_server

    root = Path(root)
    app = create_app(
        answerer=Scripted(),
        current=Shelf,
        source_file=files(root),
        parsed=nothing_parsed,
        indexing=Indexing(no_index_run, root / "uploads"),
        journal=Journal(root / "journal.sqlite"),
        settings=ServeSettings(model="scripted", heartbeat_s=0.2, body_seconds=1.0),
    )
    run_server(app, port=int(port), socket_path=socket_path(root), on_ready=say)
    say("tidy")


if __name__ == "__main__":
    main(*sys.argv[1:])
