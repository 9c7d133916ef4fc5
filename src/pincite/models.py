"""Clients of chat endpoints over HTTP: anything that speaks OpenAI's chat protocol, by base URL, key and model name."""

from __future__ import annotations

import base64
import json
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pincite.errors import ModelError

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model


@dataclass(frozen=True, slots=True)
class ChatEndpoint:
    """One model of one endpoint: OpenAI, Azure's compatible door, vLLM, llama.cpp, Ollama …"""

    base_url: str
    """Up to and with the version: ``http://127.0.0.1:11434/v1``."""
    model: str
    key: str = field(default="", repr=False)
    """Never shown, not even in a traceback's repr; empty for an endpoint that asks for none."""
    connect_s: float = 5.0
    first_token_s: float = 45.0
    """Seconds until the first event of a response; then the next model of the chain is asked."""
    silence_s: float = 30.0
    """Seconds between two pieces of a response after which it counts as broken."""
    temperature: float | None = 0.0
    """None for models that refuse the setting."""


@dataclass(frozen=True, slots=True)
class VisionEndpoint:
    """One model of one endpoint that takes pictures."""

    base_url: str
    model: str
    key: str = field(default="", repr=False)
    timeout_s: float = 60.0
    """Seconds for one picture, from the request to the last byte."""


class NoAnswer(ModelError):
    """A vision model did not describe a picture; the message says why, without a full stop."""


MAX_WAIT_S = 60.0
"""Longest wait that an endpoint may ask for (Retry-After) and get, once for a picture."""
MAX_ANSWER = 8000
"""Characters of a description. A page of small print has 6,000."""
MAX_TOKENS = 4000
MAX_BYTES = 1 << 20
"""Of a whole response."""


def describe_picture(endpoint: VisionEndpoint, png: bytes, instruction: str) -> str:
    """Return what a vision model says of a picture, at most ``MAX_ANSWER`` characters.

    Raises:
        NoAnswer: It did not answer in time, refused, is busy, or said nothing that can be used.
        ModelError: when the base URL or the model's name cannot be used.
    """
    check_address(endpoint.base_url, endpoint.model)
    import httpx2

    address = f"{endpoint.base_url.rstrip('/')}/chat/completions"
    picture = {"url": "data:image/png;base64," + base64.b64encode(png).decode("ascii")}
    body: dict[str, object] = {
        "model": endpoint.model,
        "max_tokens": MAX_TOKENS,
        "messages": [
            {"role": "system", "content": instruction},
            {"role": "user", "content": [{"type": "image_url", "image_url": picture}]},
        ],
    }
    try:
        with httpx2.Client(timeout=endpoint.timeout_s) as client:
            status, wait_s, data = _post(client, address, endpoint, body)
            if status == 429 and wait_s <= MAX_WAIT_S:
                time.sleep(wait_s)
                status, wait_s, data = _post(client, address, endpoint, body)
    except (httpx2.TimeoutException, TimeoutError) as error:
        raise NoAnswer(f"the vision model did not answer in {endpoint.timeout_s:g} s") from error
    except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeEncodeError) as error:
        raise NoAnswer(f"the vision model cannot be reached ({type(error).__name__})") from error
    if status == 429:
        raise NoAnswer("the vision model is busy (HTTP 429)")
    if status != 200:
        raise NoAnswer(f"the vision model refused (HTTP {status})")
    return _said(data)


def _post(
    client: httpx2.Client, address: str, endpoint: VisionEndpoint, body: dict[str, object]
) -> tuple[int, float, bytes]:
    """Return status, seconds of Retry-After (1 without) and body, which may break off past ``MAX_BYTES``."""
    headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
    deadline = time.monotonic() + endpoint.timeout_s
    data = b""
    with client.stream("POST", address, json=body, headers=headers) as response:
        for piece in response.iter_bytes():
            data += piece
            if len(data) > MAX_BYTES:
                break
            if time.monotonic() > deadline:
                # The client's own time-out is for each piece: one that trickles would take for ever.
                raise TimeoutError
        return response.status_code, _wait(response.headers.get("Retry-After", "")), data


def _wait(said: str) -> float:
    """Return the seconds of a Retry-After header, which holds seconds or a date; 1 when it says neither."""
    if said.strip().isascii() and said.strip().isdigit():
        return float(said)
    try:
        return max((parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return 1.0


def _said(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise NoAnswer(f"the vision model answered more than {MAX_BYTES >> 20} MiB")
    try:
        # Any: JSON of a stranger; whatever is not as it should be ends below.
        choice: Any = json.loads(data)["choices"][0]
        text: Any = choice["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise NoAnswer("the vision model's answer is not of the chat protocol") from error
    if text is not None and not isinstance(text, str):
        raise NoAnswer("the vision model's answer is not of the chat protocol")
    # What cannot be written as UTF-8 cannot be kept.
    text = (text or "").encode("utf-8", "replace").decode().replace("\x00", "").strip()
    if not text:
        raise NoAnswer("the vision model answered nothing")
    if len(text) > MAX_ANSWER or choice.get("finish_reason") == "length":
        raise NoAnswer(
            f"the vision model answered at too great length (more than {MAX_ANSWER} characters or its limit)"
        )
    return text


def check_address(base_url: str, model: str) -> None:
    """Refuse an endpoint that cannot be one, before anything is sent.

    Raises:
        ModelError: when the base URL or the model's name cannot be used.
    """
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ModelError(
            f"The model's base URL {base_url!r} is not one: write it as http://127.0.0.1:11434/v1 or https://…/v1."
        )
    if not model.strip():
        raise ModelError("No model is named for the endpoint: set the name that the endpoint lists under /models.")


def chat_model(endpoint: ChatEndpoint) -> Model:
    """A client of the endpoint. Nothing is sent before the first question.

    Raises:
        ModelError: when the base URL or the model's name cannot be used.
    """
    check_address(endpoint.base_url, endpoint.model)
    # 1.6 s of imports that the command line must not pay for.
    import httpx2
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.settings import ModelSettings

    client = AsyncOpenAI(
        base_url=endpoint.base_url,
        # The client wants some key; an endpoint without keys ignores it.
        api_key=endpoint.key or "none",
        timeout=httpx2.Timeout(endpoint.silence_s, connect=endpoint.connect_s),
        # The chain is the retry: a second model, in the end the built-in one, answers sooner than a third try.
        max_retries=0,
    )
    settings = ModelSettings(first_event_timeout=endpoint.first_token_s)
    if endpoint.temperature is not None:
        settings["temperature"] = endpoint.temperature
    return OpenAIChatModel(endpoint.model, provider=OpenAIProvider(openai_client=client), settings=settings)
