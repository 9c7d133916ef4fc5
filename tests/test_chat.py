"""Clients of chat endpoints: what is refused before anything is sent, what they cost, what the doctor says."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from pincite.build import chat_endpoint
from pincite.chat import ChatEndpoint, Price, ask_models, chat_model
from pincite.doctor import examine
from pincite.errors import ModelError, UsageError
from pincite.settings import load


@pytest.mark.parametrize("url", ["localhost:11434/v1", "file:///etc/passwd", "ftp://host/v1", "http:///v1"])
def test_an_address_that_is_none_is_refused_with_the_form_it_should_have(url):
    with pytest.raises(ModelError, match=r"http://127\.0\.0\.1:11434/v1"):
        chat_model(ChatEndpoint(url, "m"))


def test_an_endpoint_without_a_model_name_is_refused():
    with pytest.raises(ModelError, match="/models"):
        chat_model(ChatEndpoint("http://127.0.0.1:11434/v1", " "))


def test_azure_without_a_version_is_refused():
    with pytest.raises(ModelError, match="api_version"):
        chat_model(ChatEndpoint("https://rulebooks.openai.azure.com", "gpt", "k", "azure"))


@pytest.mark.parametrize(
    ("endpoint", "asks"),
    [
        (ChatEndpoint("", "gpt-5", "k"), "https://api.openai.com/v1/"),
        (ChatEndpoint("http://127.0.0.1:11434/v1", "llama"), "http://127.0.0.1:11434/v1/"),
        (
            ChatEndpoint("https://r.openai.azure.com", "gpt", "k", "azure", api_version="2024-10-21"),
            "https://r.openai.azure.com/openai/",
        ),
        (
            ChatEndpoint("https://r.openai.azure.com/openai/v1", "gpt", "k", "azure"),
            "https://r.openai.azure.com/openai/v1/",
        ),
        (ChatEndpoint("", "claude", "k", "anthropic"), "https://api.anthropic.com"),
    ],
)
def test_each_kind_has_its_address(endpoint, asks, monkeypatch):
    for variable in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "AZURE_OPENAI_ENDPOINT"):
        monkeypatch.setenv(variable, "http://elsewhere.example/v1")

    assert chat_model(endpoint).base_url.rstrip("/") == asks.rstrip("/")


def test_what_the_endpoint_had_in_its_cache_has_its_own_price():
    assert Price(2.0, 10.0, 0.5).of(1_000_000, 400_000, 100_000) == pytest.approx(2.4)
    assert Price(2.0, 10.0).of(1_000_000, 400_000, 100_000) == pytest.approx(3.0)


@contextmanager
def listing(status=200, names=("llama", "qwen"), body=None):
    """An endpoint that lists models, and what it was asked for."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append((self.path, dict(self.headers)))
            data = body if body is not None else json.dumps({"data": [{"id": name} for name in names]}).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("kind", "tail", "version", "asks", "header"),
    [
        ("openai", "/v1", "", "/v1/models", ("Authorization", "Bearer k")),
        ("azure", "", "2024-10-21", "/openai/models?api-version=2024-10-21", ("api-key", "k")),
        ("anthropic", "", "", "/v1/models?limit=1000", ("Authorization", "Bearer k")),
    ],
)
def test_an_endpoint_that_answers_and_knows_the_model_is_said_to(kind, tail, version, asks, header):
    with listing() as (url, asked):
        said = ask_models(ChatEndpoint(url + tail, "qwen", "k", kind, api_version=version))

    assert said == f"{url}{tail} answers" and asked[0][0] == asks and asked[0][1][header[0]] == header[1]


def test_a_model_that_is_not_listed_is_named_beside_those_that_are():
    with listing() as (url, _):
        assert "does not list that name (it lists llama, qwen)" in ask_models(ChatEndpoint(f"{url}/v1", "mistral"))


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ({"status": 401}, "refuses the key"),
        ({"status": 403}, "refuses the key"),
        ({"status": 500}, "HTTP 500"),
        ({"body": b"<html>"}, "is not of the kind"),
        ({"body": b'{"data": 3}'}, "is not of the kind"),
    ],
)
def test_what_is_wrong_with_an_endpoint_is_said_without_its_key(answer, says):
    with listing(**answer) as (url, _), pytest.raises(ModelError, match=says) as error:
        ask_models(ChatEndpoint(f"{url}/v1", "qwen", "secret-key"))

    assert "secret-key" not in str(error.value)


def test_an_endpoint_where_nothing_listens_is_said_to_be_gone():
    with pytest.raises(ModelError, match="cannot be reached"):
        ask_models(ChatEndpoint("http://127.0.0.1:9/v1", "qwen"))


def test_the_doctor_names_every_model_that_does_not_answer_and_those_that_do(tmp_path):
    with listing() as (url, _):
        (tmp_path / "pincite.toml").write_text(
            '[[models]]\nname = "gone"\nbase_url = "http://127.0.0.1:9/v1"\n'
            f'[[models]]\nname = "qwen"\nbase_url = "{url}/v1"\n'
        )
        checks = {check.name: check for check in examine(tmp_path / "pincite.toml", tmp_path / "library")}

    told = checks["chat models"]
    assert not told.ok and "gone at http://127.0.0.1:9/v1 cannot be reached" in told.message
    assert f"qwen: {url}/v1 answers" in told.message


def settings(tmp_path, toml):
    (tmp_path / "pincite.toml").write_text(toml)
    return load(tmp_path / "pincite.toml", None)


@pytest.mark.parametrize(
    ("toml", "says"),
    [
        ('[[models]]\nname = "gpt"', "api_key of the provider"),
        ('[[models]]\nkind = "azure"\nname = "gpt"\napi_key = "k"', "base_url of your resource"),
        ('[[models]]\nkind = "azure"\nname = "gpt"\nbase_url = "https://r.openai.azure.com"', "api_version"),
        ('[[models]]\nname = "gpt"\nbase_url = "http://x/v1"\napi_version = "1"', "api_version is for azure"),
        ('[[models]]\nkind = "gemini"\nname = "x"\nbase_url = "http://x"', "kind"),
        ('[[models]]\nname = "gpt"\nbase_url = "http://x/v1"\n[limits]\ncost = 0.5', "gpt has none"),
    ],
)
def test_a_model_that_is_not_configured_completely_is_refused_in_words(tmp_path, toml, says):
    with pytest.raises(UsageError, match=says):
        settings(tmp_path, toml)


def test_every_kind_of_model_is_configured_in_the_file(tmp_path):
    read = settings(
        tmp_path,
        """
        [[models]]
        kind = "anthropic"
        name = "claude"
        api_key = "k1"
        temperature = "none"
        price = {input = 3, output = 15, cached = 0.3}
        [[models]]
        kind = "azure"
        name = "our-gpt"
        base_url = "https://r.openai.azure.com"
        api_version = "2024-10-21"
        api_key = "k2"
        price = {input = 2, output = 8}
        [limits]
        cost = 0.5
        """,
    )
    first, second = map(chat_endpoint, read.models)

    assert (first.kind, first.model, first.key, first.price) == ("anthropic", "claude", "k1", Price(3, 15, 0.3))
    assert first.temperature is None and second.temperature == 0.0
    assert (second.kind, second.api_version, second.price) == ("azure", "2024-10-21", Price(2, 8))
    assert "k1" not in repr(read) + repr(first)
