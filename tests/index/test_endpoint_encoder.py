"""The encoder behind an endpoint, against a scripted server that speaks OpenAI's protocol."""

import json
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite import models
from pincite.build import House
from pincite.doctor import examine
from pincite.errors import ModelError, WrongModel
from pincite.index.embed import Habits
from pincite.index.endpoint_encoder import EndpointEncoder, _cut_by_bytes
from pincite.models import EmbeddingEndpoint, embed_texts
from pincite.settings import load

PLAIN = Habits(max_tokens=200)


class Endpoint:
    """Vectors from letters, after what was scripted: a status, or a body as it is."""

    def __init__(self):
        self.script, self.asked, self.keys, self.noise = [], [], [], 0.0
        self.lock = threading.Lock()

    def vector(self, text):
        rng = np.random.default_rng(list(text.encode()))
        return (rng.normal(size=8) + self.noise).tolist()

    def answer(self, body, key):
        with self.lock:
            self.asked.append(body["input"])
            self.keys.append(key)
            step = self.script.pop(0) if self.script else 200
        if isinstance(step, bytes):
            return 200, {}, step
        status, headers = step if isinstance(step, tuple) else (step, {})
        if status != 200:
            return status, headers, json.dumps({"error": {"message": "scripted"}}).encode()
        rows = [{"index": i, "embedding": self.vector(text)} for i, text in enumerate(body["input"])]
        return 200, {}, json.dumps({"data": rows[::-1]}).encode()  # in another order, which the protocol allows


@pytest.fixture
def server():
    endpoint = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            path_ok = self.path == "/v1/embeddings"
            status, headers, data = (
                endpoint.answer(body, self.headers.get("Authorization")) if path_ok else (404, {}, b"")
            )
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=listening.serve_forever, daemon=True).start()
    endpoint.url = f"http://127.0.0.1:{listening.server_port}/v1"
    yield endpoint
    listening.shutdown()
    listening.server_close()


def endpoint_of(server, **more):
    return EmbeddingEndpoint(server.url, "letters", **{"first_wait_s": 0.01, "timeout_s": 5, **more})


def encoder_of(server, tmp_path, habits=PLAIN, **more):
    return EndpointEncoder(endpoint_of(server, **more), habits, records=tmp_path / "encoders")


def done():
    pass


def test_vectors_have_unit_length_and_the_order_of_their_texts_over_many_requests(server, tmp_path):
    encoder = encoder_of(server, tmp_path, batch=3)
    texts = [f"fee {i}" for i in range(20)]
    count = []

    vectors = encoder.passages(texts, on_done=lambda: count.append(1))

    expected = np.array([server.vector(text) for text in texts])
    assert vectors == pytest.approx(expected / np.linalg.norm(expected, axis=1, keepdims=True), abs=1e-6)
    assert (encoder.dimension, len(count)) == (8, 20)
    assert max(map(len, server.asked)) == 3


def test_prefixes_and_key_are_sent(server, tmp_path):
    encoder = encoder_of(server, tmp_path, Habits("search_query: ", "search_document: "), key="secret-7")

    encoder.query("fee")

    assert server.asked[-1] == ["search_query: fee"]
    assert set(server.keys) == {"Bearer secret-7"}
    assert "secret-7" not in repr(encoder._endpoint)


@pytest.mark.parametrize("step", [429, 500, 503, 502])
def test_an_endpoint_that_is_busy_or_fails_is_asked_again(server, step):
    server.script = [step, step]

    assert embed_texts(endpoint_of(server), ["fee"], done) == [server.vector("fee")]
    assert len(server.asked) == 3


def test_a_wait_that_an_endpoint_asks_for_is_waited(server, monkeypatch):
    slept = []
    monkeypatch.setattr(models.time, "sleep", slept.append)
    server.script = [(429, {"Retry-After": "7"})]

    embed_texts(endpoint_of(server), ["fee"], done)

    assert slept == [7]


def test_patience_has_an_end_and_says_what_happened(server):
    server.script = [503] * 9

    with pytest.raises(ModelError, match=r"HTTP 503.*3 times"):
        embed_texts(endpoint_of(server, attempts=3), ["fee"], done)
    assert len(server.asked) == 3


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_refusal_is_not_repeated(server, status):
    server.script = [status]

    with pytest.raises(ModelError, match=rf"HTTP {status}"):
        embed_texts(endpoint_of(server), ["fee"], done)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"not json",
        b"[]",
        b'{"data": []}',
        b'{"data": [{"index": 0, "embedding": []}]}',
        b'{"data": [{"index": 0, "embedding": [0, 0]}]}',
        b'{"data": [{"index": 0, "embedding": [1, NaN]}]}',
        b'{"data": [{"index": 0, "embedding": "abc"}]}',
        b'{"data": [{"index": 1, "embedding": [1, 2]}]}',
        b'{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1]}]}',
    ],
)
def test_an_answer_that_is_not_one_vector_for_each_text_is_refused(server, body):
    server.script = [body]

    with pytest.raises(ModelError, match="embedding endpoint"):
        embed_texts(endpoint_of(server), ["fee"], done)


def test_an_endpoint_that_is_not_there_says_so():
    gone = EmbeddingEndpoint("http://127.0.0.1:1/v1", "letters", attempts=2, first_wait_s=0.01)

    with pytest.raises(ModelError, match="cannot be reached"):
        embed_texts(gone, ["fee"], done)


def test_a_model_is_the_same_as_long_as_its_vectors_are_wherever_it_is_asked(server, tmp_path):
    first = encoder_of(server, tmp_path).model
    server.noise = 1e-4
    again = encoder_of(server, tmp_path).model
    elsewhere = EndpointEncoder(
        replace(endpoint_of(server), base_url=server.url.replace("127.0.0.1", "localhost")),
        Habits(max_tokens=200),
        records=tmp_path / "encoders",
    ).model

    assert first == again == elsewhere
    assert len(list((tmp_path / "encoders").iterdir())) == 1


def test_other_weights_under_the_same_name_are_another_model(server, tmp_path):
    first = encoder_of(server, tmp_path).model
    server.noise = 0.3
    other = encoder_of(server, tmp_path).model
    server.noise = 0.0

    assert first != other
    assert encoder_of(server, tmp_path).model == first
    assert encoder_of(server, tmp_path, Habits("query: ", max_tokens=200)).model not in (first, other)


def test_a_text_is_cut_to_what_the_model_reads_without_knowing_its_tokenizer(server, tmp_path):
    encoder = encoder_of(server, tmp_path)
    long = "Een koelkast is een toegelaten apparaat. " * 20

    parts = encoder.parts(long)

    assert "".join(parts).split() == long.split()
    assert all(encoder.fits(part) for part in parts)
    with pytest.raises(ValueError, match="does not fit"):
        encoder.passages([long])
    assert encoder.query(long).shape == (8,)


@given(st.text(max_size=300), st.integers(4, 40))
def test_pieces_by_bytes_lose_nothing_but_white_space_at_the_end(text, room):
    parts = _cut_by_bytes(text, room)

    assert all(len(part.encode("utf-8", "replace")) <= room for part in parts)
    assert "".join(parts).rstrip() == text.encode("utf-8", "replace").decode().rstrip()


def test_a_library_is_indexed_through_an_endpoint_and_refused_when_another_model_answers(server, tmp_path):
    file = tmp_path / "passages.jsonl"
    file.write_text(
        "\n".join(json.dumps({"id": w, "document": "d", "section": "", "text": w}) for w in ("fee", "pump"))
    )
    config = tmp_path / "pincite.toml"
    config.write_text(f'[embedding]\nbase_url = "{server.url}"\nname = "letters"\nmax_tokens = 200\n')

    def house():
        return House(load(config, tmp_path / "library"))

    house().indexer().index_passages(file)

    retriever = house().retriever()
    assert {p.id for p in retriever.search("pump", mode="dense", k=2)} == {"fee", "pump"}
    retriever.close()
    assert not house().indexer().index_passages(file).published
    (line,) = (check for check in examine(config, tmp_path / "library") if check.name == "embedding model")
    assert (line.ok, "8 dimensions" in line.message, server.url in line.message) == (True, True, True)
    server.noise = 0.3
    with pytest.raises(WrongModel, match="letters@"):
        house().retriever()
