"""Clients of vision and embedding endpoints: whatever speaks OpenAI's protocol, by URL, key and name."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pincite.errors import ModelError

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True, slots=True)
class VisionEndpoint:
    """One model of one endpoint that takes pictures."""

    base_url: str
    model: str
    key: str = field(default="", repr=False)
    timeout_s: float = 60.0
    """Seconds for one picture, from the request to the last byte."""


@dataclass(frozen=True, slots=True)
class EmbeddingEndpoint:
    """One embedding model of one endpoint that speaks OpenAI's protocol (``/embeddings``)."""

    base_url: str
    model: str
    key: str = field(default="", repr=False)
    timeout_s: float = 60.0
    """Seconds for one request of ``batch`` texts."""
    batch: int = 64
    """Texts of one request."""
    at_once: int = 4
    """Requests under way at a time."""
    attempts: int = 6
    """Of one request, while the endpoint is busy or gone."""
    first_wait_s: float = 1.0
    """Before the second attempt; doubled before each further one. An endpoint that names a time is waited for."""


class NoAnswer(ModelError):
    """A vision model did not describe a picture; the message says why, without a full stop."""


MAX_WAIT_S = 60.0
"""Longest wait that an endpoint may ask for (Retry-After) and get, once for a picture."""
MAX_ANSWER = 8000
"""Characters of a description. A page of small print has 6,000."""
MAX_TOKENS = 4000
MAX_BYTES = 1 << 20
"""Of a whole response."""
MAX_VECTOR_BYTES = 1 << 18
"""Of a response for each text that was sent: 8,192 numbers with all their digits."""


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
    client: httpx2.Client,
    address: str,
    endpoint: VisionEndpoint | EmbeddingEndpoint,
    body: dict[str, object],
    limit: int = MAX_BYTES,
) -> tuple[int, float, bytes]:
    """Return status, seconds of Retry-After (1 without) and body, which may break off past ``limit`` bytes."""
    headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
    deadline = time.monotonic() + endpoint.timeout_s
    data = b""
    with client.stream("POST", address, json=body, headers=headers) as response:
        for piece in response.iter_bytes():
            data += piece
            if len(data) > limit:
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


def embed_texts(endpoint: EmbeddingEndpoint, texts: Sequence[str], on_done: Callable[[], None]) -> list[list[float]]:
    """Return the vectors of texts, in order, as the endpoint gives them.

    Args:
        endpoint: is asked again, with growing pauses, while it is busy, fails or is gone.
        texts: at least one, none of them empty.
        on_done: called for each text that is done, in whatever thread.

    Raises:
        ModelError: It refused, did not answer in the end, or answered something that is not one vector for each text.
    """
    check_address(endpoint.base_url, endpoint.model)
    import httpx2

    batches = [texts[start : start + endpoint.batch] for start in range(0, len(texts), endpoint.batch)]
    with httpx2.Client(timeout=endpoint.timeout_s) as client:

        def ask(batch: Sequence[str]) -> list[list[float]]:
            vectors = _vectors(_persist(client, endpoint, batch), len(batch))
            for _ in batch:
                on_done()
            return vectors

        if len(batches) == 1:
            found = ask(batches[0])
        else:
            pool = ThreadPoolExecutor(endpoint.at_once)
            try:
                found = [vector for vectors in pool.map(ask, batches) for vector in vectors]
            finally:
                pool.shutdown(cancel_futures=True)  # after a refusal nothing else is sent
    if len({len(vector) for vector in found}) != 1:
        raise ModelError(f"the embedding endpoint gave vectors of different lengths for {endpoint.model}")
    return found


def _persist(client: httpx2.Client, endpoint: EmbeddingEndpoint, texts: Sequence[str]) -> bytes:
    """Return the body of a response with status 200."""
    import httpx2

    address = f"{endpoint.base_url.rstrip('/')}/embeddings"
    body: dict[str, object] = {"model": endpoint.model, "input": list(texts), "encoding_format": "float"}
    wait_s, cause = endpoint.first_wait_s, ""
    for attempt in range(1, endpoint.attempts + 1):
        asked_s = 0.0
        try:
            limit = MAX_VECTOR_BYTES * len(texts)
            status, asked_s, data = _post(client, address, endpoint, body, limit)
            if status == 200:
                if len(data) > limit:
                    raise ModelError("the embedding endpoint answered more than any vectors of these texts")
                return data
            if status < 500 and status not in (408, 425, 429):
                raise ModelError(f"the embedding endpoint refused (HTTP {status}){_refusal(data)}")
            cause = f"is busy or fails (HTTP {status})"
            asked_s = asked_s if status in (429, 503) else 0.0
        except (httpx2.TimeoutException, TimeoutError):
            cause = f"did not answer in {endpoint.timeout_s:g} s"
        except (httpx2.InvalidURL, UnicodeEncodeError) as error:
            raise ModelError(f"the embedding endpoint cannot be asked ({type(error).__name__})") from error
        except httpx2.HTTPError as error:
            cause = f"cannot be reached ({type(error).__name__})"
        if attempt < endpoint.attempts:
            time.sleep(min(max(wait_s, asked_s), MAX_WAIT_S))
            wait_s *= 2
    raise ModelError(f"the embedding endpoint {cause}, {endpoint.attempts} times: see whether it runs, and try again")


def _refusal(data: bytes) -> str:
    """What an endpoint says of a refusal, as far as it speaks the protocol."""
    try:
        return f": {str(json.loads(data)['error']['message'])[:200]}"
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""


def _vectors(data: bytes, count: int) -> list[list[float]]:
    try:
        # Any: JSON of a stranger; whatever is not as it should be ends below.
        rows: Any = json.loads(data)["data"]
        by_index = {int(row["index"]): [float(x) for x in row["embedding"]] for row in rows}
        found = [by_index[index] for index in range(count)]
    except (ValueError, LookupError, TypeError, OverflowError, RecursionError) as error:
        raise ModelError("the embedding endpoint's answer is not of the protocol, or lacks a text") from error
    if len(by_index) != count or not all(vector and all(map(isfinite, vector)) and any(vector) for vector in found):
        raise ModelError("the embedding endpoint gave something else than one vector for each text")
    return found


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
