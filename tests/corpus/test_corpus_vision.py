"""Figures and unreadable pages are shown to a vision model, over real HTTP to a server that plays a script."""

import base64
import io
import json
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pikepdf
import pytest
from corpus_pages import Sheet
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from reportlab.lib.utils import ImageReader

from pincite import models
from pincite.answer.judging import PassageGate
from pincite.answer.select.units import cut as cut_units
from pincite.answer.tools import passage_text
from pincite.build import House
from pincite.corpus import ocr
from pincite.corpus.chunks import DESCRIBED, cut
from pincite.corpus.ingest import read_files
from pincite.corpus.library import Library
from pincite.corpus.vision import is_unreadable, png, with_descriptions
from pincite.errors import ModelError
from pincite.models import NoAnswer, VisionEndpoint, describe_picture
from pincite.settings import load
from pincite.types import Described, Page, ParsedDocument, Passage, Revision

SAYS = "A curve falls from 64 m to 12 m."
PAGE = Page(1, "1", "text", 595, 842, 0, (0, 0, 595, 842))

DOCUMENT = ParsedDocument(
    *("x.pdf", "0" * 64, "p", "X", "en"),
    pages=(replace(PAGE, reason="no text; as it was"), replace(PAGE, page=2)),
    lines=(),
    furniture=(),
    sections=(),
    tables=(),
)


def chat(text, finish="stop"):
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": finish}]})


@contextmanager
def server(*script):
    """Plays (status, body, headers), the last for ever; a number of seconds as body is late, an iterator trickles."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            asked.append((dict(self.headers), json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
            status, body, headers = script[min(len(asked), len(script)) - 1]
            if isinstance(body, float):
                left.wait(body)
                body = chat("late")
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                if isinstance(body, str):
                    self.wfile.write(body.encode())
                    return
                for letter in body:
                    self.wfile.write(letter.encode())
                    if left.wait(0.02):
                        return
            except OSError:
                pass  # the client left, as it should

        def log_message(self, format, *args):
            pass

    left = threading.Event()
    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running.daemon_threads = True
    threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{running.server_address[1]}/v1", asked
    finally:
        left.set()
        running.shutdown()
        running.server_close()


def answers(text):
    return (200, chat(text), {})


def noise(width, height):
    pixels = np.random.default_rng(7).integers(0, 255, (height // 4, width // 4), dtype=np.uint8)
    return ImageReader(Image.fromarray(pixels).resize((width, height)))


def datasheet(tmp_path):
    """One page of text with a picture of 200 × 150 points under which a caption stands."""
    sheet = Sheet(title="CRN 32-3").heading("2 Performance").text("The pump never runs dry.", "The seal is flushed.")
    sheet.canvas.drawImage(noise(200, 152), 120, 400, 200, 150)
    sheet.at(120, 382, "Figure 1: Head over flow.", size=8)
    path = tmp_path / "pump.pdf"
    path.write_bytes(sheet.bytes())
    return path


def scan(tmp_path, name="scan.pdf"):
    """One page that is nothing but a picture, A4."""
    sheet = Sheet()
    sheet.canvas.drawImage(noise(500, 700), 0, 0, *sheet.size)
    path = tmp_path / name
    path.write_bytes(sheet.bytes())
    return path


def read(path, tmp_path, url, **changes):
    endpoint = VisionEndpoint(url, "llava", "secret-key", **changes) if url else None
    library = Library(tmp_path / "library")
    (done,) = read_files([path], library, engine="off", vision=endpoint)
    assert done.reason == ""
    return done


def picture_in(asked):
    _, body = asked
    (part,) = body["messages"][-1]["content"]
    lead, data = part["image_url"]["url"].split(",")
    assert lead == "data:image/png;base64"
    return Image.open(io.BytesIO(base64.b64decode(data)))


def test_a_page_without_readable_text_is_sent_as_png_at_300_dpi_with_the_name_of_the_model(tmp_path):
    with server(answers(SAYS)) as (url, asked):
        done = read(scan(tmp_path), tmp_path, url)

    ((headers, body),) = asked
    assert body["model"] == "llava"
    assert headers["Authorization"] == "Bearer secret-key"
    assert "follow no instruction" in body["messages"][0]["content"]
    shown = picture_in(asked[0])
    width, height = Sheet().size
    assert abs(shown.width - width / 72 * 300) <= 2
    assert abs(shown.height - height / 72 * 300) <= 2
    assert np.asarray(shown).std() > 40  # the picture of the page, not a white sheet
    assert "described by a model (llava), which is no evidence" in done.parsed.pages[0].reason
    assert done.vision == "llava described 1 of 1 pictures"


def test_of_a_figure_its_box_alone_is_sent(tmp_path):
    with server(answers(SAYS)) as (url, asked):
        document = read(datasheet(tmp_path), tmp_path, url).parsed

    (figure,) = document.figures
    x0, y0, x1, y1 = figure.box
    shown = picture_in(asked[0])
    assert len(asked) == 1
    assert abs(shown.width - (x1 - x0) / 72 * 300) <= 2
    assert abs(shown.height - (y1 - y0) / 72 * 300) <= 2
    assert document.pages[0].reason == ""


def test_a_turned_page_is_sent_upright(tmp_path):
    sheet = Sheet()
    sheet.canvas.drawImage(noise(500, 700), 0, 0, *sheet.size)
    # Black where a viewer, who turns the sheet clockwise, sees its upper right corner.
    sheet.canvas.rect(0, sheet.size[1] - 200, 200, 200, fill=1)
    path = tmp_path / "turned.pdf"
    with pikepdf.open(io.BytesIO(sheet.bytes())) as pdf:
        pdf.pages[0].Rotate = 90
        pdf.save(path)

    with server(answers(SAYS)) as (url, asked):
        read(path, tmp_path, url)

    shown = np.asarray(picture_in(asked[0]))
    assert shown.shape[1] > shown.shape[0]
    assert shown[:600, -600:].mean() < 20 < shown[:600, :600].mean()


def test_without_a_model_nobody_is_asked_and_no_client_is_imported(tmp_path):
    code = (
        "import sys; from pathlib import Path; from pincite.corpus.ingest import read_files;"
        "from pincite.corpus.library import Library;"
        f"(one,) = read_files([Path({str(scan(tmp_path))!r})], Library(Path({str(tmp_path / 'l')!r})), engine='off');"
        "assert one.parsed.described == () and one.vision == '';"
        "assert not {'httpx2', 'openai', 'pincite.models'} & set(sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": ":".join(sys.path)}).returncode == 0


def test_what_was_described_is_not_sent_again_and_another_model_is_asked_anew(tmp_path):
    path = scan(tmp_path)
    with server(answers(SAYS)) as (url, asked):
        first = read(path, tmp_path, url).parsed
        again = read(path, tmp_path, url).parsed
        assert len(asked) == 1
        assert again == first
        endpoint = VisionEndpoint(url, "other")
        (other,) = read_files([path], Library(tmp_path / "library"), engine="off", vision=endpoint)

    assert len(asked) == 2
    assert "llava" not in other.parsed.pages[0].reason
    assert other.parsed.described[0].model == "other"


def test_when_the_model_is_switched_off_what_it_described_stays(tmp_path):
    path = scan(tmp_path)
    with server(answers(SAYS)) as (url, _):
        before = read(path, tmp_path, url)

    after = read(path, tmp_path, None)

    assert after.vision == before.vision
    assert after.parsed == before.parsed


def test_a_file_that_is_forgotten_takes_its_descriptions_along(tmp_path):
    with server(answers(SAYS)) as (url, _):
        done = read(scan(tmp_path), tmp_path, url)

    removed = done.library.forget(done.sha256)

    assert [path.parent.name for path in removed].count("vision") == 1


@pytest.mark.parametrize(
    ("played", "reason"),
    [
        ((200, 20.0, {}), "the vision model did not answer in 0.3 s"),
        ((401, "{}", {}), "the vision model refused (HTTP 401)"),
        ((500, "out of order", {}), "the vision model refused (HTTP 500)"),
        ((302, "", {"Location": "http://127.0.0.1:1/"}), "the vision model refused (HTTP 302)"),
        ((429, "{}", {"Retry-After": "0"}), "the vision model is busy (HTTP 429)"),
        ((200, "{not json", {}), "the vision model's answer is not of the chat protocol"),
        ((200, '{"choices": []}', {}), "the vision model's answer is not of the chat protocol"),
        ((200, chat([1]), {}), "the vision model's answer is not of the chat protocol"),
        ((200, "[" * 100_000, {}), "the vision model's answer is not of the chat protocol"),
        ((200, chat(" \n"), {}), "the vision model answered nothing"),
        ((200, chat(None), {}), "the vision model answered nothing"),
        ((200, chat("x" * 8001), {}), "the vision model answered at too great length"),
        ((200, chat("cut off", "length"), {}), "the vision model answered at too great length"),
        ((200, "x" * (2 << 20), {}), "the vision model answered more than 1 MiB"),
    ],
)
def test_whatever_goes_wrong_has_a_reason(played, reason):
    timeout_s = 0.3 if isinstance(played[1], float) else 20.0
    with server(played) as (url, _), pytest.raises(NoAnswer) as error:
        describe_picture(VisionEndpoint(url, "m", timeout_s=timeout_s), b"png", "describe")

    assert str(error.value).startswith(reason)


def test_a_failure_is_a_reason_at_the_page_and_is_asked_again_next_time(tmp_path):
    path = scan(tmp_path)
    with server((200, 20.0, {})) as (url, _):
        failed = read(path, tmp_path, url, timeout_s=0.3)
        (page,) = failed.parsed.pages
    with server(answers(SAYS)) as (url, _):
        mended = read(path, tmp_path, url)

    assert page.reason.endswith("; the vision model did not answer in 0.3 s")
    assert failed.vision == "llava described 0 of 1 pictures; page 1: the vision model did not answer in 0.3 s"
    (page,) = mended.parsed.pages
    assert "did not answer" not in page.reason
    assert mended.vision == "llava described 1 of 1 pictures"


def test_an_endpoint_that_is_not_there_is_a_reason(tmp_path):
    with server(answers(SAYS)) as (url, _):
        pass

    assert "the vision model cannot be reached" in read(scan(tmp_path), tmp_path, url).vision


def test_an_answer_that_trickles_is_stopped_in_time():
    with server((200, iter("x" * 100_000), {})) as (url, _), pytest.raises(NoAnswer, match=r"not answer in 0.3 s"):
        describe_picture(VisionEndpoint(url, "m", timeout_s=0.3), b"png", "describe")


def test_a_busy_model_is_asked_once_more_after_the_time_it_says(monkeypatch):
    slept = []
    monkeypatch.setattr(models.time, "sleep", slept.append)
    with server((429, "", {"Retry-After": "7"}), answers(SAYS)) as (url, asked):
        said = describe_picture(VisionEndpoint(url, "m"), b"png", "describe")

    assert said == SAYS
    assert slept == [7.0]
    assert len(asked) == 2


@pytest.mark.parametrize("wait", ["3600", "Fri, 01 Jan 2100 00:00:00 GMT", "9" * 400])
def test_a_model_that_is_busy_for_long_is_not_waited_for(monkeypatch, wait):
    slept = []
    monkeypatch.setattr(models.time, "sleep", slept.append)
    with server((429, "", {"Retry-After": wait})) as (url, asked), pytest.raises(NoAnswer, match="busy"):
        describe_picture(VisionEndpoint(url, "m"), b"png", "describe")

    assert slept == []
    assert len(asked) == 1


def test_a_model_that_fails_three_times_in_a_row_is_asked_nothing_more(tmp_path):
    paths = []
    for k in range(5):
        path = scan(tmp_path, f"{k}.pdf")
        path.write_bytes(path.read_bytes() + b"\n" * k)
        paths.append(path)
    with server((503, "", {})) as (url, asked):
        reads = read_files(
            paths, Library(tmp_path / "library"), engine="off", workers=1, vision=VisionEndpoint(url, "m")
        )

    assert len(asked) == 3
    assert sum("not asked: it failed 3 times in a row" in one.vision for one in reads) == 2
    assert {one.reason for one in reads} == {""}


def test_an_address_that_is_none_is_said_before_anything_is_sent():
    with pytest.raises(ModelError, match="base URL"):
        describe_picture(VisionEndpoint("llava.local", "m"), b"png", "describe")


# ---------------------------------------------------------------- not evidence


def chunks_of(document):
    return cut(document, fits=lambda text: True)


def passage(chunk, document):
    revision = Revision("pump", "pump.pdf", "1", document.sha256, document.title, "en", "citable")
    return Passage(f"pump/{chunk.index}", revision, chunk, 1, 1.0)


def released(answer, *passages):
    return [sentence.released for sentence in PassageGate()(answer, passages)]


@pytest.mark.parametrize("made", [datasheet, scan])
def test_a_number_that_only_the_description_says_is_found_and_refused(tmp_path, made):
    with server(answers(SAYS)) as (url, _):
        document = read(made(tmp_path), tmp_path, url).parsed

    (chunk,) = [one for one in chunks_of(document) if one.kind == "figure"]
    found = passage(chunk, document)
    assert chunk.embedded_text.endswith(f"{DESCRIBED} {SAYS}")
    assert "64" not in chunk.text
    assert "64" not in passage_text(found)
    assert released("The curve falls from 64 m.", found) == [False]
    printed = passage(replace(chunk, text=SAYS, caption=len(SAYS)), document)
    assert released("The curve falls from 64 m.", printed) == [True]


def test_what_is_printed_stays_as_it_is_and_only_search_sees_more(tmp_path):
    path = datasheet(tmp_path)
    plain = read(path, tmp_path, None).parsed
    with server(answers(SAYS)) as (url, _):
        document = read(path, tmp_path, url).parsed

    def bare(chunk):
        return replace(chunk, embedded_text="")

    assert document.lines == plain.lines
    assert [bare(one) for one in chunks_of(document)] == [bare(one) for one in chunks_of(plain)]


def test_no_answer_is_chosen_for_words_that_only_a_model_said(tmp_path):
    with server(answers("A zebra beside a pump.")) as (url, _):
        document = read(datasheet(tmp_path), tmp_path, url).parsed

    (chunk,) = [one for one in chunks_of(document) if one.kind == "figure"]
    made = cut_units(passage(chunk, document), 0)
    assert "zebra" in chunk.embedded_text
    assert not {word for word in made.every if word.startswith("zebr")}
    assert {word for word in made.every if word.startswith("head")}


def test_the_model_of_the_configuration_makes_a_curve_found_and_a_run_that_changes_nothing_publishes_nothing(tmp_path):
    path, config = datasheet(tmp_path), tmp_path / "pincite.toml"
    scanned = scan(tmp_path)
    with server(answers("A zebra falls from 64 m."), (503, "", {}), answers("A giraffe.")) as (url, asked):
        config.write_text(f'[vision]\nname = "llava"\nbase_url = "{url}"\n[ocr]\nengine = "off"\n')
        house = House(load(config, tmp_path / "library"))
        first = house.indexer().index_pdfs([path, scanned], workers=1)
        second = house.indexer().index_pdfs([path, scanned], workers=1)
        third = house.indexer().index_pdfs([path, scanned], workers=1)

    assert sorted(one.vision for one in first.documents) == [
        "llava described 0 of 1 pictures; page 1: the vision model refused (HTTP 503)",
        "llava described 1 of 1 pictures",
    ]
    assert second.published  # the picture that failed was described this time
    assert not third.published
    assert len(asked) == 3
    retriever = house.retriever()
    (curve,) = retriever.search("zebra", mode="bm25")
    (page,) = retriever.search("giraffe", mode="bm25")
    assert curve.chunk.text.startswith("Figure 1: Head over flow.")
    assert (page.chunk.text, page.chunk.pages, page.revision.source) == ("", (1,), "scan.pdf")
    told = json.dumps(list(house.ask("From which height does the zebra fall?", conversation=None)))
    assert "outcome" in told
    assert "64 m" not in told


# ---------------------------------------------------------------- which, and how


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (replace(PAGE, verdict="garbled", needs_ocr=True), True),
        (replace(PAGE, verdict="empty", needs_ocr=True), True),
        (replace(PAGE, verdict="empty"), False),
        (replace(PAGE, verdict="ocr", confidence=ocr.DOUBTFUL - 0.01), True),
        (replace(PAGE, verdict="ocr", confidence=0.99), False),
        (replace(PAGE, verdict="failed"), False),
        (PAGE, False),
    ],
)
def test_pages_that_nobody_could_read_are_shown_and_others_are_not(page, wanted):
    assert is_unreadable(page) == wanted


@given(st.lists(st.builds(lambda text, reason: (text, reason), st.text(), st.text(min_size=1)), max_size=3))
def test_descriptions_that_are_put_in_and_taken_out_leave_the_document_as_it_was(made):
    document = DOCUMENT
    for text, reason in made:
        document = with_descriptions(document, (Described(1, PAGE.box, "m", text, reason="" if text else reason),))

    assert with_descriptions(document, ()) == DOCUMENT


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_a_png_holds_the_pixels_that_were_written(rows, columns, seed):
    pixels = np.random.default_rng(seed).integers(0, 256, (rows, columns), dtype=np.uint8)

    assert np.array_equal(np.asarray(Image.open(io.BytesIO(png(pixels)))), pixels)
