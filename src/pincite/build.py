"""The composition root: the only place that wires the rooms together."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import threading
import time
import weakref
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from platformdirs import user_data_path

from pincite.corpus.library import Library
from pincite.errors import DocumentWithdrawn, InputError, LibraryBusy, LibraryError, PinciteError, UsageError
from pincite.index.releases import Releases
from pincite.settings import EmbeddingSettings, ModelSettings, Settings, StoreSettings, load
from pincite.types import Answer, Broke, Chunk, ParsedDocument, Release, Revision

if TYPE_CHECKING:
    from fastapi import FastAPI

    from pincite.answer.agent import Answerer
    from pincite.catalogue import Catalogue
    from pincite.chat import ChatEndpoint
    from pincite.evaluate.answers import Half
    from pincite.evaluate.cases import Case
    from pincite.index.content import Content
    from pincite.index.difference import ReleaseDifference
    from pincite.index.embed import Encoder
    from pincite.index.run import Indexer, IndexRun, Progress
    from pincite.index.store import Engine
    from pincite.journal import Journal
    from pincite.models import VisionEndpoint
    from pincite.retrieve.retriever import Mode, Retriever

EXAMPLES = (
    "Can I pay with my fridge?",
    "What is the fee for a cross-border refund?",
    "What is the NPSH of the CRN 32-3 at 2900 rpm?",
    "Kan ik betalen met mijn koelkast?",
)
"""Questions that the page offers over the sample library."""


class House:
    """One library with everything that works on it; each part is made when it is first asked for."""

    def __init__(
        self, settings: Settings, *, config: Path | None = None, qdrant: Callable[[], Any] | None = None
    ) -> None:
        """
        Args:
            config: the file that the settings were read from, for the processes that are started here.
            qdrant: makes the client of the configured Qdrant server; None: over the network.
        """
        self.settings = settings
        self._config = config
        self.root = settings.library
        self.engine = _engine(settings.store, qdrant)
        self.releases = Releases(settings.library, self.engine)
        self.library = Library(settings.library)
        self._live = _Live(self)

    # ------------------------------------------------------------ indexing

    @cached_property
    def encoder(self) -> Encoder:
        """The configured encoder, made ready on first use.

        Raises:
            ModelError: If it cannot be used.
        """
        embedding = self.settings.embedding
        if embedding.base_url:
            return self._endpoint_encoder(embedding, embedding.base_url)
        from pincite.index.embed import Habits
        from pincite.index.onnx_encoder import OnnxEncoder, built_in

        if not embedding.directory:
            return built_in()
        habits = Habits(embedding.query_prefix, embedding.passage_prefix, embedding.max_tokens or 512)
        return OnnxEncoder(embedding.directory, habits, name=embedding.name, pooling=embedding.pooling)

    def _endpoint_encoder(self, embedding: EmbeddingSettings, base_url: str) -> Encoder:
        from pincite.index.embed import Habits
        from pincite.index.endpoint_encoder import EndpointEncoder
        from pincite.models import EmbeddingEndpoint

        endpoint = EmbeddingEndpoint(
            base_url,
            embedding.name,
            embedding.api_key.get_secret_value() if embedding.api_key else "",
            embedding.timeout_s,
            batch=embedding.batch,
            at_once=embedding.at_once,
        )
        habits = Habits(embedding.query_prefix, embedding.passage_prefix, embedding.max_tokens or 8191)
        return EndpointEncoder(endpoint, habits, records=self.root / "encoders", tokenizer=embedding.tokenizer)

    def indexer(self) -> Indexer:
        """What builds releases of this library."""
        from pincite.index.run import Indexer

        index = self.settings.index
        return Indexer(
            self.library,
            self.releases,
            self.encoder,
            chunk_characters=index.chunk_characters,
            average_length=index.average_length,
            releases_kept=index.releases_kept,
            ocr_engine=self.settings.ocr.engine,
            vision=self._vision(),
        )

    def withdraw(self, document: str, *, progress: Progress) -> IndexRun | None:
        """Forget a document (`Indexer.withdraw`); a running server lets go of what it has open."""
        run = self.indexer().withdraw(document, progress=progress)
        self._wake_server()
        return run

    def _wake_server(self) -> None:
        from pincite.serve.client import ask_server, is_served

        # It would notice at the next question; until then it would hold the removed files open.
        with suppress(PinciteError):
            if is_served(self.root):
                ask_server(self.root, "GET", "/api/documents")

    def _vision(self) -> VisionEndpoint | None:
        vision = self.settings.vision
        if vision is None:
            return None
        from pincite.models import VisionEndpoint, check_address

        check_address(vision.base_url, vision.name)
        key = vision.api_key.get_secret_value() if vision.api_key else ""
        return VisionEndpoint(vision.base_url, vision.name, key, vision.timeout_s)

    def read(self, file: Path) -> ParsedDocument:
        """Return what the parser sees in one PDF, read in a jailed worker.

        Raises:
            UnreadablePdf: If it cannot be read.
        """
        from pincite.corpus.ingest import inspect_pdf

        return inspect_pdf(file, engine=self.settings.ocr.engine)

    def inspect(self, file: Path) -> tuple[ParsedDocument, tuple[Chunk, ...]]:
        """Return one PDF as the parser sees it and the chunks that an index run would make of it."""
        from pincite.corpus.chunks import cut

        parsed = self.read(file)
        return parsed, cut(parsed, fits=self.encoder.fits, size=self.settings.index.chunk_characters)

    # ------------------------------------------------------------ asking

    def retriever(self) -> Retriever:
        """Return the retriever of the published release; a newer release is opened as soon as it is published.

        Raises:
            NotIndexed, WrongModel, LibraryBusy: As the library is.
        """
        return self._live.current()

    def open_retriever(self, release: str) -> Retriever:
        """Open one kept release."""
        from pincite.retrieve.fusion import Fusion
        from pincite.retrieve.retriever import Depths, Retriever

        retrieval = self.settings.retrieval
        opened = self.releases.open(release)
        store = None
        try:
            store = self.engine.open(opened.store)
            retriever = Retriever(
                opened.release,
                store,
                opened.statistics,
                self.encoder,
                depths=Depths(nearest=retrieval.nearest, matching=retrieval.matching, kept=retrieval.kept),
                fusion=Fusion(meaning=retrieval.meaning),
                withdrawn=self.releases.withdrawn.among,
            )
        except BaseException:
            if store is not None:
                store.close()  # a release that is refused must not stay locked
            opened.discard()
            raise
        weakref.finalize(retriever, opened.discard)
        return retriever

    def answerer(self) -> Answerer:
        """What answers questions: the configured models, in the end the built-in one."""
        from pincite.answer.agent import Answerer
        from pincite.answer.select import compose
        from pincite.answer.tools import Limits

        limits = self.settings.limits

        def similarity(question: str, texts: Sequence[str]) -> list[float]:
            return self.encoder.similarity(question, texts)

        return Answerer(
            self.retriever,
            models=[chat_endpoint(model) for model in self.settings.models],
            limits=Limits(
                calls=limits.tool_calls,
                seconds=limits.seconds,
                tokens=limits.tokens,
                cost=limits.cost,
                question_characters=limits.question_characters,
                passages=self.settings.retrieval.passages,
            ),
            compose=partial(compose, similarity=similarity),
            catalogue=self.catalogue,
        )

    @cached_property
    def catalogue(self) -> Catalogue | None:
        """The parts catalogue; None where none is configured."""
        settings = self.settings.catalogue
        if settings is None:
            return None
        from pincite.catalogue import Catalogue
        from pincite.catalogue.connect import Address

        key = settings.password.get_secret_value() if settings.password else ""
        place = settings.export or Address(settings.url or "", key, settings.timeout_s)
        return Catalogue(settings.mapping(), place, name=settings.name)

    def journal(self) -> Journal:
        """The journal of this library; open it before use."""
        from pincite.journal import Journal

        return Journal(self.root / "journal.db", spare=True)

    def _is_served(self) -> bool:
        """Say whether a server answers for this library; without one the published release is open here afterwards.

        Raises:
            NotIndexed, WrongModel, LibraryBusy: As the library is.
        """
        from pincite.serve.client import is_served

        if is_served(self.root):
            return True
        try:
            self.retriever()
        except LibraryBusy:
            if is_served(self.root):  # it was just starting
                return True
            raise
        return False

    def search(self, question: str, *, k: int, mode: Mode, debug: bool) -> dict[str, Any]:
        """Return passages as `pincite search --json` prints them, from the running server or from here."""
        from pincite.serve.client import ask_server
        from pincite.serve.wire import search_json

        if self._is_served():
            query = urlencode({"question": question, "k": k, "mode": mode, "debug": str(debug).lower()})
            return ask_server(self.root, "GET", f"/api/search?{query}")
        retriever = self.retriever()
        begun = time.perf_counter()
        passages = retriever.search(question, k=k, mode=mode)
        return search_json(passages, round((time.perf_counter() - begun) * 1000), debug=debug)

    def sections(self, document: str) -> dict[str, Any]:
        """Return the sections of a document's newest revision, from the running server or from here.

        Raises:
            UsageError: If there is no such document.
        """
        from pincite.serve.client import ask_server
        from pincite.serve.wire import sections_json

        if document not in {revision.document for revision in self.releases.current().revisions}:
            raise UsageError(f"there is no document {document!r}: `pincite documents` lists those that are there")
        if self._is_served():
            return ask_server(self.root, "GET", f"/api/documents/{quote(document, safe='')}/sections")
        retriever = self.retriever()
        return sections_json(retriever.sections(document), retriever.read(document))

    def compare_releases(self, was: str | None, now: str | None, progress: Progress) -> ReleaseDifference:
        """Return what changed from one kept release to another; the one before to the published one by default.

        It reads what the library holds of files, not the stores: a server may be running.

        Raises:
            UsageError: If one is not kept, or there is no older one.
        """
        from pincite.index.difference import compare_releases

        after = self.releases.load(now) if now else self.releases.current()
        before = self.releases.load(was or self.releases.previous())
        others = {r.sha256 for r in before.revisions} ^ {r.sha256 for r in after.revisions}
        progress.begin("comparing", len({r.document for r in before.revisions + after.revisions if r.sha256 in others}))
        return compare_releases(before, after, self._content, lambda: progress.advance(1))

    def _content(self, revision: Revision) -> Content | str:
        """Return what a revision says, or why it cannot be read any more."""
        from pincite.index.content import content_of, content_of_chunks
        from pincite.index.passages import read_passages

        if self.releases.withdrawn.among([(revision.document, revision.sha256)]):
            return f"{revision.source} was withdrawn"
        try:
            if revision.source.endswith(".jsonl"):
                file = read_passages(self.library.passages(revision.sha256), revision.source)
                return content_of_chunks([chunk for _, chunk in file.documents[revision.document]])
            parsed = self.library.parsed(revision.sha256)
            if parsed is None:
                # Of a revision that no release has had since the parser changed; its bytes are kept, so that both sides
                # are read alike.
                parsed = self.read(self.source_file(revision.sha256))
            return content_of(parsed)
        except (LibraryError, InputError) as error:
            return f"{revision.source} cannot be read any more: {error}"

    def ask(self, question: str, *, conversation: str | None) -> Generator[dict[str, Any]]:
        """Yield the events ``{id, event, data}`` of an answer as they come, from the running server or from here."""
        from pincite.serve.client import stream_server

        if self._is_served():
            yield from stream_server(self.root, "/api/chat", {"question": question, "conversation": conversation})
            return
        events = self._answer(question, conversation)

        async def next_event() -> dict[str, Any] | None:
            return await anext(events, None)

        with asyncio.Runner() as runner:
            while (event := runner.run(next_event())) is not None:
                yield event

    async def _answer(self, question: str, conversation: str | None) -> AsyncGenerator[dict[str, Any]]:
        from pincite.serve.answering import CONVERSATION, Answering, checked

        async with self.journal() as journal:
            answering = Answering(self.answerer(), journal, at_once=1)
            if conversation is not None and not re.fullmatch(CONVERSATION, conversation):
                raise UsageError("a conversation's id has letters, digits, - and _ only: give the one of an answer")
            run = await answering.begin(checked(question, self.settings.limits.question_characters), conversation)
            async for entry in run.follow(0, heartbeat_s=self.settings.limits.seconds):
                if entry is not None:
                    yield {"id": f"{run.id}:{entry.n}", "event": entry.type, "data": json.loads(entry.json)}

    def evaluate_retrieval(
        self, cases: Path, *, k: int, modes: Sequence[Mode], earlier: dict[str, Any] | None
    ) -> dict[str, Any]:
        """Return the report of retrieval on cases, with what moved against an earlier report."""
        from pincite.evaluate.cases import Place
        from pincite.evaluate.retrieval import compare, evaluate_retrieval

        def search(mode: Mode, question: str) -> list[Place]:
            found = self.search(question, k=k, mode=mode, debug=False)
            return [Place(passage["id"], passage["source"], tuple(passage["pages"])) for passage in found["passages"]]

        searches = {mode: partial(search, mode) for mode in modes}
        release = self.releases.current()
        report = evaluate_retrieval(cases, release, searches, passage_ids=partial(self._passage_ids, release), k=k)
        return report | ({"moved": compare(report, earlier)} if earlier else {})

    def evaluate_answers(
        self,
        cases: Path,
        *,
        half: Half | None,
        repeat: int,
        earlier: dict[str, Any] | None,
        progress: Progress,
    ) -> dict[str, Any]:
        """Return the report of answers to cases, from the running server or from here, beside an earlier report."""
        from pincite.evaluate.answers import compare, evaluate_answers

        release = self.releases.current()
        with self._asking() as ask:
            report = evaluate_answers(
                cases,
                release,
                ask,
                half=half,
                repeat=repeat,
                passage_ids=partial(self._passage_ids, release),
                begin=lambda questions: progress.begin("asking", questions),
                advance=lambda: progress.advance(1),
            )
        return report | ({"against": compare(report, earlier)} if earlier else {})

    @contextmanager
    def _asking(self) -> Generator[Callable[[Case], Answer | Broke]]:
        """What answers a case, after its history."""
        from pincite.serve.asking import ask_here, ask_served

        if self._is_served():
            yield lambda case: ask_served(self.root, (*case.history, case.question))
            return
        answerer = self.answerer()
        with asyncio.Runner() as runner:
            runner.run(answerer.prepare())  # or the first case would seem slow
            yield lambda case: runner.run(ask_here(answerer, (*case.history, case.question)))

    def _passage_ids(self, release: Release) -> set[str]:
        """Return the ids of the passages made elsewhere that the release holds."""
        from pincite.index.passages import read_passages

        files = {(r.sha256, r.source) for r in release.revisions if r.source.endswith(".jsonl")}
        read = [read_passages(self.library.passages(sha256), source) for sha256, source in sorted(files)]
        return {id_ for file in read for chunks in file.documents.values() for id_, _ in chunks}

    # ------------------------------------------------------------ serving

    def serve(self, host: str, port: int, *, on_ready: Callable[[str], None]) -> None:
        """Serve the page and the interface until interrupted.

        Raises:
            ServeError: If the address is refused or the port is in use.
            NotIndexed, WrongModel: If there is nothing to answer from.
        """
        from pincite.serve.client import socket_path
        from pincite.serve.server import check_host, run_server

        check_host(host)
        run_server(self.app(), host=host, port=port, socket_path=socket_path(self.root), on_ready=on_ready)

    def app(self) -> FastAPI:
        """Return what `serve` serves, ready to answer.

        Raises:
            NotIndexed, WrongModel, ModelError: If there is nothing to answer from, or nothing to answer with.
        """
        from pincite.serve.app import ServeSettings, create_app
        from pincite.serve.indexing import Indexing

        self.retriever()  # says what is wrong with the library before anybody asks
        answerer = self.answerer()
        asyncio.run(answerer.prepare())  # says what is wrong with a model, and spares the first asker its imports
        return create_app(
            answerer=answerer,
            current=self.retriever,
            source_file=self.source_file,
            parsed=self.library.parsed,
            indexing=Indexing(self._index_command, self.root / "uploads"),
            journal=self.journal(),
            settings=ServeSettings(
                model=answerer.model,
                examples=EXAMPLES if self._has_samples() else (),
                question_characters=self.settings.limits.question_characters,
            ),
        )

    def _index_command(self, files: Sequence[Path]) -> list[str]:
        """Return what indexes files in another process and prints how far it is."""
        config = ["--config", str(self._config)] if self._config else []
        options = ["--events", "--library", str(self.root), *config]
        return [sys.executable, "-m", "pincite.cli", "index", *options, "--", *map(str, files)]

    def source_file(self, sha256: str) -> Path:
        """Return the place of the PDF with this hash.

        Raises:
            DocumentWithdrawn: If nobody may read it any more.
            LibraryDamaged: If the file does not have the bytes it was indexed with.
            LibraryError: If the library has none.
        """
        order = self.releases.withdrawn.of_bytes(sha256)
        if order is not None:
            raise DocumentWithdrawn(order.reason)
        if not self.library.has_source(sha256):
            raise LibraryError("the library does not hold this file")
        return self.library.whole_source(sha256)

    def _has_samples(self) -> bool:
        shipped = {path.name for path in samples().glob("*.pdf")}
        return shipped <= {revision.source for revision in self.releases.current().revisions}


def chat_endpoint(model: ModelSettings) -> ChatEndpoint:
    """Return the endpoint of one configured chat model."""
    from pincite.chat import ChatEndpoint, Price

    price = model.price
    return ChatEndpoint(
        base_url=model.base_url or "",
        model=model.name,
        key=model.api_key.get_secret_value() if model.api_key else "",
        kind=model.kind,
        api_version=model.api_version or "",
        first_token_s=model.timeout_s,
        silence_s=model.timeout_s,
        patience_s=model.patience_s,
        temperature=None if model.temperature == "none" else model.temperature,
        max_tokens=model.max_tokens,
        price=Price(price.input, price.output, price.cached) if price else None,
    )


def _engine(settings: StoreSettings, qdrant: Callable[[], Any] | None) -> Engine:
    """Return where stores are kept; nothing is connected yet.

    Raises:
        UsageError: If a server would be used without protection.
    """
    from pincite.index.edge import EmbeddedEngine

    if settings.url is None:
        return EmbeddedEngine(settings.quantise_from)
    from pincite.index.server import Address, ServerEngine, connect

    key = settings.api_key.get_secret_value() if settings.api_key else ""
    address = Address(settings.url, key, settings.insecure, settings.timeout_s)
    return ServerEngine(
        qdrant or partial(connect, address),
        name=settings.name,
        quantise_from=settings.quantise_from,
        place=settings.url,
    )


class _Live:
    """The retriever of the published release, opened again when another release is published.

    A reader that is in flight keeps the retriever that it began with; the engine lets go of a release's directory when
    its last reader is done.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self._lock = threading.Lock()
        self._last: tuple[str, Retriever] | None = None
        self._open: weakref.WeakValueDictionary[str, Retriever] = weakref.WeakValueDictionary()
        """By release; also those that were followed by another and are still being read."""

    def current(self) -> Retriever:
        releases = self._house.releases
        with self._lock:
            while True:
                published = releases.current_id()
                if self._last is not None and self._last[0] == published:
                    return self._last[1]
                try:
                    release = releases.current().id  # says so when nothing is published
                    retriever = self._open.get(release) or self._house.open_retriever(release)
                except PinciteError:
                    # Another one may have been published, and this one removed, while it was being opened.
                    if releases.current_id() == published:
                        raise
                    continue
                self._open[release] = retriever
                self._last = (release, retriever)


def demo_house(config: Path | None, library: Path | None) -> House:
    """The library of the demo: in the user's data directory unless told otherwise."""
    return House(load(config, library or user_data_path("pincite") / "demo"), config=config)


def samples() -> Path:
    """Return the directory of the sample PDFs: inside the installed package, or in the checkout beside it."""
    package = Path(__file__).parent / "samples" / "pdf"
    checkout = Path(__file__).parents[2] / "samples" / "pdf"
    found = next((path for path in (package, checkout) if path.is_dir()), None)
    if found is None:
        raise InputError("this installation lacks the sample documents: install Pincite again", source="samples")
    return found


def gate_lines(lines: Iterable[str]) -> Generator[dict[str, Any]]:
    """Judge each JSON line ``{id, context, answer}``; see docs/evaluation.md for the form.

    Raises:
        InputError: If a line is not such a record; the line is named.
    """
    from pincite.answer.gate import gate_case

    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            if not isinstance(record["answer"], str) or not all(isinstance(c, str) for c in record["context"]):
                raise TypeError
            record["id"]
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"line {number}: expected {{id, context: [text], answer}}, found {line.strip()[:60]!r}", source="gate"
            ) from error
        yield gate_case(record)
