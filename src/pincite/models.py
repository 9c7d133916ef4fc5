"""Clients of chat endpoints over HTTP: anything that speaks OpenAI's chat protocol, by base URL, key and model name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pincite.errors import ModelError

if TYPE_CHECKING:
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


def chat_model(endpoint: ChatEndpoint) -> Model:
    """A client of the endpoint. Nothing is sent before the first question.

    Raises:
        ModelError: when the base URL or the model's name cannot be used.
    """
    parts = urlsplit(endpoint.base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ModelError(
            f"The model's base URL {endpoint.base_url!r} is not one: write it as http://127.0.0.1:11434/v1 or https://…/v1."
        )
    if not endpoint.model.strip():
        raise ModelError("No model is named for the endpoint: set the name that the endpoint lists under /models.")
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
