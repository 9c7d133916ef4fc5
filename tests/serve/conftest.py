from functools import partial

import httpx2
import pytest
from serve_scripted import FEES, OLD_FEES, Scripted, Shelf, files, know, make_pdf, no_index_run, nothing_parsed

from pincite.journal import Journal
from pincite.serve.app import ServeSettings, create_app
from pincite.serve.indexing import Indexing


@pytest.fixture
def library(tmp_path):
    root = tmp_path / "library"
    root.mkdir()
    for sha256 in (FEES, OLD_FEES):
        make_pdf(root / f"{sha256}.pdf")
    (tmp_path / "outside.pdf").write_bytes(b"%PDF-1.7 not for readers")
    return root


@pytest.fixture
def static(tmp_path):
    root = tmp_path / "static"
    (root / "assets" / "pdfjs").mkdir(parents=True)
    (root / "index.html").write_text('<!doctype html><script type="module" src="/assets/index-Ab3dE6gh.js"></script>')
    (root / "icon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (root / "assets" / "index-Ab3dE6gh.js").write_text("export {}")
    (root / "assets" / "pdfjs" / "openjpeg.wasm").write_bytes(b"\0asm")
    return root


@pytest.fixture
async def journal(library):
    async with Journal(library / "journal.sqlite") as opened:
        yield opened


@pytest.fixture
def answerer():
    return Scripted()


@pytest.fixture
def make_app(library, journal, answerer, static):
    def make(current=Shelf, parsed=nothing_parsed, command=no_index_run, limits=(), **settings):
        return create_app(
            answerer=answerer,
            current=current,
            source_file=files(library),
            parsed=parsed,
            indexing=Indexing(command, library / "uploads", **dict(limits)),
            journal=journal,
            settings=ServeSettings(**({"model": "scripted", "static": static, "heartbeat_s": 0.05} | settings)),
        )

    return make


@pytest.fixture
def make_client(make_app, library):
    def make(**settings):
        app = make_app(**settings)
        transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
        client = httpx2.AsyncClient(transport=transport, base_url="http://localhost:8000")
        client.app = app
        client.know = partial(know, library / "journal.sqlite")
        return client

    return make


@pytest.fixture
async def client(make_client):
    async with make_client() as opened:
        yield opened
        await opened.app.state.answering.close()
